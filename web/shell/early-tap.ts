/** The property of `window` through which the script below provides its function to this module. */
const replayProperty = 'quadReplayEarlyTap';

/**
 * A script in the head that remembers the last button that was tapped before the application has started,
 * because until then no code handles taps. Its text is constant, so that one hash in the
 * Content-Security-Policy covers it.
 */
export const earlyTapScript = `;(()=>{let tapped;const remember=(event)=>{const button=event.target.closest?.('button[type=button]');if(button){tapped=button;event.stopImmediatePropagation()}};addEventListener('click',remember,true);window.${replayProperty}=()=>{removeEventListener('click',remember,true);tapped?.click();tapped=undefined}})()`;

/** Repeats the tap on the remembered button. Call it when the application has started and the session is known. */
export const replayEarlyTap = (): void => (window as { [replayProperty]?: () => void })[replayProperty]?.();

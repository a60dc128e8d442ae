/** Name of the property of `window` under which the head script below publishes its function. */
const replayProperty = 'quadReplayEarlyTap';

/**
 * A script that runs in the head and remembers the last button tapped before the application has
 * started, because no code handles the tap yet. Its text is constant, so that one hash in the
 * Content-Security-Policy covers it.
 */
export const earlyTapScript = `;(()=>{let tapped;const remember=(event)=>{const button=event.target.closest?.('button[type=button]');if(button){tapped=button;event.stopImmediatePropagation()}};addEventListener('click',remember,true);window.${replayProperty}=()=>{removeEventListener('click',remember,true);tapped?.click();tapped=undefined}})()`;

/** Repeats the tap on the remembered button. Call it when the application has started and the session is known. */
export const replayEarlyTap = (): void => (window as { [replayProperty]?: () => void })[replayProperty]?.();

/** The property of `window` that is true once the page's scripts are loaded. */
const loadedProperty = 'quadLoaded';
const noticeId = 'failed-scripts';
const noticeText = 'This page did not load completely, so buttons may not work.';
const noticeClasses = 'bg-gold-soft px-4 text-center text-gold-text text-sm';
const linkClasses = 'inline-flex min-h-11 items-center px-2 font-semibold underline';

/** Shows the notice. `Try again` keeps what was typed, because browsers restore it after a reload. */
const reportScript = `const report=()=>{if(document.getElementById('${noticeId}'))return;const notice=document.createElement('p');notice.id='${noticeId}';notice.setAttribute('role','alert');notice.className='${noticeClasses}';const link=document.createElement('a');link.href='';link.className='${linkClasses}';link.textContent='Try again';link.onclick=(event)=>{event.preventDefault();location.reload()};notice.append('${noticeText} ',link);document.body.prepend(notice)};`;

/**
 * A script in the head for a page whose scripts cannot be loaded. It reloads the page once, for example because a new
 * version has replaced them. If that does not help, or cannot be done because the device is offline or something has been
 * typed, it shows a notice. Scripts that extensions of the browser add to the page do not count.
 */
export const failedScriptsScript = `;(()=>{${reportScript}let typed;addEventListener('input',()=>{typed=true},true);addEventListener('error',({target:{localName,rel,src,href}})=>{if(window.${loadedProperty}||(localName!=='script'&&rel!=='modulepreload')||!(src||href||location.origin).startsWith(location.origin))return;if(typed||!navigator.onLine||performance.getEntriesByType('navigation')[0]?.type==='reload')report();else location.reload()},true)})()`;

/** Records that the page's scripts are loaded. From now on, those that need others report that they cannot be loaded. */
export const recordScriptsLoaded = (): void => {
  Object.assign(window, { [loadedProperty]: true });
  document.getElementById(noticeId)?.remove();
};

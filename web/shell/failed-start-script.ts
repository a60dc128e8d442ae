/** The id of the element that `FailedStartNotice` renders. */
export const failedStartNoticeId = 'failed-start';

/**
 * A script in the head for screens that show nothing until the application has started. If one of its scripts
 * cannot be loaded, it reloads such a screen once, and shows `FailedStartNotice` if that fails too. Otherwise
 * the screen would stay at "Loading…". The script's text is constant, so that one hash in the
 * Content-Security-Policy covers it.
 */
export const failedStartScript = `;(()=>{const recover=()=>{const notice=document.getElementById('${failedStartNoticeId}');if(!notice)return;if(performance.getEntriesByType('navigation')[0]?.type!=='reload')location.reload();else{notice.hidden=false;notice.nextElementSibling.hidden=true}};addEventListener('error',({target})=>{if(target.type==='module')recover()},true);addEventListener('unhandledrejection',recover)})()`;

/**
 * Runs in the head before any other script. The page's policy (Content-Security-Policy, require-trusted-types-for)
 * lets no text become markup or a script's address unless this one agrees, and this agrees to what cannot do harm:
 * text without a tag (structured data, the rules of a style sheet), the empty element React makes scripts from, and
 * addresses of our own origin. Its text never changes, so that one hash covers it, and holds no tag itself: after a
 * failure the browser makes the whole page anew, this script included. The schema library is told not to try whether
 * it may make code of text: it may not.
 */
export const trustedTypesScript =
  '__zod_globalConfig={jitless:true};' +
  "self.trustedTypes&&trustedTypes.createPolicy('default',{" +
  "createHTML:t=>t==='\\x3cscript>\\x3c/script>'||!t.includes('\\x3c')?t:null," +
  'createScriptURL:u=>new URL(u,location).origin===location.origin?u:null});';

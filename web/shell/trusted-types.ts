/**
 * A script that runs in the head before any other script. Because the Content-Security-Policy
 * contains `require-trusted-types-for`, strings become markup or script URLs only through the
 * policy that this script creates. The policy allows harmless values: text without a tag
 * (structured data, style rules), the empty element from which React creates scripts, and URLs of
 * our own origin. The script also keeps the schema library from testing whether it may compile
 * code, which the Content-Security-Policy forbids.
 *
 * The script's text is constant, so that one hash covers it. It contains no tag, because it must
 * itself pass the policy when React inserts it again after an error.
 */
export const trustedTypesScript =
  '__zod_globalConfig={jitless:true};' +
  "self.trustedTypes&&trustedTypes.createPolicy('default',{" +
  "createHTML:t=>t==='\\x3cscript>\\x3c/script>'||!t.includes('\\x3c')?t:null," +
  'createScriptURL:u=>new URL(u,location).origin===location.origin?u:null});';

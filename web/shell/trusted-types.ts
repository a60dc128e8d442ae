/**
 * Runs in the head before any other script. Because of `require-trusted-types-for` in the Content-Security-Policy,
 * strings become markup or script URLs only through this policy. It allows what is harmless: text without a tag
 * (structured data, style rules), the empty element from which React creates scripts, and URLs of our own origin. Its
 * text is constant, so that one hash covers it, and contains no tag, because React inserts it again when it renders the
 * whole page after an error. It also keeps the schema library from testing whether it may compile code, which the policy
 * forbids.
 */
export const trustedTypesScript =
  '__zod_globalConfig={jitless:true};' +
  "self.trustedTypes&&trustedTypes.createPolicy('default',{" +
  "createHTML:t=>t==='\\x3cscript>\\x3c/script>'||!t.includes('\\x3c')?t:null," +
  'createScriptURL:u=>new URL(u,location).origin===location.origin?u:null});';

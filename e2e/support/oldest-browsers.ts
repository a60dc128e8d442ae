import type { Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data';
import bcd from '@mdn/browser-compat-data/forLegacyNode';
import type { BrowserContext } from '@playwright/test';

/**
 * The oldest browsers in which everything works (README). They are those of Tailwind CSS 4, whose styles need them; the
 * notice in older browsers (web/shell/old-browsers.ts) tests for the same versions.
 */
const oldestVersions = { chrome: 111, firefox: 128, safari: 16.4 } as const;

/**
 * Features that cannot be removed in a page without breaking the browser itself, such as its enforcement of the
 * Content-Security-Policy.
 */
const kept = new Set([
  'trustedTypes',
  'TrustedTypePolicyFactory',
  'TrustedTypePolicy',
  'TrustedHTML',
  'TrustedScript',
  'TrustedScriptURL',
]);

const isNewer = ({ __compat: compat }: Identifier): boolean =>
  compat !== undefined &&
  Object.entries(oldestVersions).some(([browser, oldest]) => {
    const statements = compat.support[browser as keyof typeof oldestVersions];
    return !([] as SimpleSupportStatement[])
      .concat(statements ?? [])
      .some(
        ({ version_added: added, flags }) =>
          !flags && typeof added === 'string' && Number.parseFloat(added.replace('≤', '')) <= oldest,
      );
  });

/** Returns the names of newer objects, and of newer members of objects as `Object.member`. */
const listNewerFeatures = (): string[] =>
  [bcd.javascript.builtins, bcd.api].flatMap((group) =>
    Object.entries(group as Record<string, Identifier>)
      .filter(([name]) => name !== '__compat' && !kept.has(name))
      .flatMap(([name, described]) =>
        isNewer(described)
          ? [name]
          : Object.entries(described)
              .filter(
                ([member, it]) => member !== '__compat' && !kept.has(member) && isNewer(it as Identifier),
              )
              .map(([member]) => `${name}.${member}`),
      ),
  );

/** Runs in the page: removes features. A name such as `Response.json_static` is that of a static method. */
const remove = (names: readonly string[]): void => {
  for (const name of names) {
    const [owner = '', member] = name.split('.');
    const holder = (globalThis as Record<string, unknown>)[owner] as { prototype?: object } | undefined;
    if (member === undefined) Reflect.deleteProperty(globalThis, owner);
    else if (member.endsWith('_static'))
      Reflect.deleteProperty(holder ?? {}, member.slice(0, -'_static'.length));
    else if (owner === 'Window') Reflect.deleteProperty(globalThis, member);
    // The data do not mark the static methods of the language itself, such as `Map.groupBy`.
    else if (holder?.prototype && member in holder.prototype)
      Reflect.deleteProperty(holder.prototype, member);
    else if (holder) Reflect.deleteProperty(holder, member);
  }
};

/** Removes everything from the pages of a browser context that the oldest supported browsers lack. */
export const removeNewerFeatures = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript(remove, listNewerFeatures());
};

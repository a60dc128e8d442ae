import { useCallback, useMemo } from 'react';
import type { Conversation } from '#contract/conversations.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useDismissedWarnings } from './dismissed-warnings.ts';
import { findWarningKinds } from './message-warnings.ts';
import type { ThreadItem } from './thread.ts';
import type { WarningKind } from './warning-rules.ts';

export interface ThreadWarnings {
  /** The kinds of warnings below a message, by the key of its item. */
  byKey: ReadonlyMap<string, readonly WarningKind[]>;
  find(text: string): WarningKind[];
  dismiss(kinds: readonly WarningKind[]): void;
}

export interface ThreadWarningOptions {
  ownHosts: readonly string[];
  /** Whether the other party's account is new and `items` contains the thread from its first message. */
  isFirstOfNewAccount: boolean;
  dismissed: ReadonlySet<string>;
}

const findShownWarnings = (text: string, { ownHosts, dismissed }: ThreadWarningOptions): WarningKind[] =>
  findWarningKinds(text, ownHosts).filter((kind) => !dismissed.has(kind));

/**
 * Returns the kinds of warnings to display for each of the other party's messages, by the key of its
 * thread item.
 */
export const findWarningsByItem = (
  items: readonly ThreadItem[],
  options: ThreadWarningOptions,
): Map<string, WarningKind[]> => {
  const { isFirstOfNewAccount, dismissed } = options;
  const received = items.filter((item) => item.kind === 'bubble' && !item.own);
  return new Map(
    received.flatMap(({ key, text }, index): [string, WarningKind[]][] => {
      const isNewAccount = isFirstOfNewAccount && index === 0 && !dismissed.has('new_account');
      const newAccount: WarningKind[] = isNewAccount ? ['new_account'] : [];
      const kinds = [...newAccount, ...findShownWarnings(text, options)];
      return kinds.length > 0 ? [[key, kinds]] : [];
    }),
  );
};

/** Returns the warnings of a thread that the person has not dismissed. */
export const useThreadWarnings = (
  { id, other }: Pick<Conversation, 'id' | 'other'>,
  { ownId, items, more }: { ownId: string; items: readonly ThreadItem[]; more: boolean },
): ThreadWarnings => {
  const { domain, otherDomains } = useCampus();
  const { dismissed, dismiss } = useDismissedWarnings(ownId, id);
  const isFirstOfNewAccount = !more && Boolean(other?.is_new_account);
  const options = useMemo(
    () => ({
      ownHosts: [domain, ...otherDomains, location.hostname],
      isFirstOfNewAccount,
      dismissed: new Set(dismissed.split(' ')),
    }),
    [domain, otherDomains, isFirstOfNewAccount, dismissed],
  );
  const byKey = useMemo(() => findWarningsByItem(items, options), [items, options]);
  const find = useCallback((text: string) => findShownWarnings(text, options), [options]);
  return useMemo(() => ({ byKey, find, dismiss }), [byKey, find, dismiss]);
};

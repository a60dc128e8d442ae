import { LRUCache } from 'lru-cache';
import { type Campus, campusDay } from '#contract/campus.ts';
import type { CacheKey, FindCacheKey } from '#contract/reads.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import { type Encoding, encodings } from './encodings.ts';
import { finishPage, type Page } from './page.ts';
import { isAffected, type PageDependencies, type PagesChange } from './page-dependencies.ts';
import type { Render, RenderedPage } from './render.ts';

/** Announcements may be lost; a page that missed one lives no longer than this. */
const keptSeconds = 60;
/** Room for about two thousand pages. Those narrowed by choices or texts, endlessly many, only displace each other. */
const plainBytes = 64 * 2 ** 20;
const narrowedBytes = 16 * 2 ** 20;
/** What a page takes beside its forms. */
const overheadBytes = 4096;

interface CachedPage extends Page {
  shown: PageDependencies;
  /** Milliseconds since 1970. */
  until: number;
}

/** A rendering under way, and the changes heard since it began: it may have read what was before them. */
interface Making {
  missed: (PagesChange | 'unknown')[];
}

interface PageCacheDeps {
  render: Render;
  findCacheKey: FindCacheKey;
  bus: Pick<Bus, 'subscribe'>;
  clock: Clock;
  campus: Campus;
  /** Headers of every answer. */
  protection: Record<string, string>;
  /** How many bytes are kept, for tests. */
  room?: { plain: number; narrowed: number };
}

export interface PageCache {
  /** A page that is kept, at once. */
  find(url: string): Page | undefined;
  /** How many pages are kept. */
  size(): number;
  /** The page at a path with its query, kept or made now; in the wanted form at least. */
  load(url: string, wanted: Encoding): Promise<Page>;
  close(): void;
}

const bytesOf = ({ forms }: Page): number =>
  Object.values(forms).reduce((sum, { body }) => sum + body.length, overheadBytes);

/**
 * Keeps public pages as they are sent, in memory, until something they show changes. What is kept was made from its
 * address alone, so it cannot hold anything of who asked.
 */
export const createPageCache = ({
  render,
  findCacheKey,
  bus,
  clock,
  campus,
  protection,
  room = { plain: plainBytes, narrowed: narrowedBytes },
}: PageCacheDeps): PageCache => {
  const createPool = (maxSize: number) =>
    new LRUCache<string, CachedPage>({ maxSize, sizeCalculation: bytesOf });
  const plain = createPool(room.plain);
  const narrowed = createPool(room.narrowed);
  const pools = [plain, narrowed];
  const underway = new Set<Making>();
  const joinable = new Map<string, Promise<Page>>();

  const miss = (change: PagesChange | 'unknown'): void => {
    for (const making of underway) making.missed.push(change);
    // Who asks from now on asks for what is true from now on.
    joinable.clear();
  };

  const stopHearing = bus.subscribe(
    (announcement) => {
      if (announcement.kind !== 'pages_changed') return;
      miss(announcement);
      for (const pool of pools) {
        for (const [address, { shown }] of [...pool.entries()]) {
          if (isAffected(shown, announcement)) pool.delete(address);
        }
      }
    },
    () => {
      miss('unknown');
      for (const pool of pools) pool.clear();
    },
  );

  const staysTrue = (shown: PageDependencies, { missed }: Making): boolean =>
    missed.every((change) => change !== 'unknown' && !isAffected(shown, change));

  /** Until when a page begun at an instant is true by the clock; undefined when that is soon over. */
  const untilOf = ({ today }: PageDependencies, begun: Date): number | undefined => {
    const end = secondsAfter(begun, keptSeconds);
    const sameDay = !today || campusDay(campus, begun) === campusDay(campus, end);
    return sameDay ? end.getTime() : undefined;
  };

  const isKeepable = ({ status, headers }: RenderedPage): boolean =>
    status === 200 && headers['set-cookie'] === undefined;

  const make = async ({ address, narrowed: isNarrowed }: CacheKey): Promise<Page> => {
    const making: Making = { missed: [] };
    underway.add(making);
    try {
      const begun = clock.now();
      const rendered = await render(address);
      const keepable = isKeepable(rendered);
      const page = await finishPage(rendered, protection, { keep: keepable, wanted: encodings });
      const until = untilOf(rendered.shown, begun);
      if (keepable && until !== undefined && staysTrue(rendered.shown, making)) {
        (isNarrowed ? narrowed : plain).set(address, { ...page, shown: rendered.shown, until });
      }
      return page;
    } finally {
      underway.delete(making);
    }
  };

  const join = (kept: CacheKey): Promise<Page> => {
    const { address } = kept;
    const known = joinable.get(address);
    if (known) return known;
    const page = make(kept).finally(() => {
      if (joinable.get(address) === page) joinable.delete(address);
    });
    joinable.set(address, page);
    return page;
  };

  const find = (url: string): Page | undefined => {
    const page = plain.get(url) ?? narrowed.get(url);
    return page && clock.now().getTime() < page.until ? page : undefined;
  };

  return {
    find,
    load: async (url, wanted) => {
      const kept = findCacheKey(url);
      if (!kept) return finishPage(await render(url), protection, { keep: false, wanted: [wanted] });
      return find(kept.address) ?? join(kept);
    },
    size: () => plain.size + narrowed.size,
    close: stopHearing,
  };
};

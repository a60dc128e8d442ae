import { defaultCampus } from '#contract/campus.ts';
import type { Sql } from '#server/platform/postgres/database.ts';

/**
 * Stores the currency of the campus at its first start. Throws when the prices in the database are in another one; before
 * version 0.12 all were in dollars. Without prices, the currency may change.
 */
export const assertSameCurrency = (sql: Sql, currency: string): Promise<void> =>
  sql.begin(async (tx) => {
    const [row] = await tx<{ stored: string | null; has_prices: boolean }[]>`
      SELECT (SELECT currency FROM private.campus_currency) AS stored,
        EXISTS (SELECT 1 FROM listings WHERE price > 0) OR EXISTS (SELECT 1 FROM deals WHERE price > 0)
          OR EXISTS (SELECT 1 FROM saved_listings WHERE price > 0) AS has_prices`;
    const stored = row?.stored ?? defaultCampus.currency;
    if (row?.has_prices && stored !== currency)
      throw new Error(
        `QUAD_CAMPUS_CURRENCY is ${currency}, but the prices in this database are in ${stored}: ` +
          `set it to ${stored}, or begin with an empty database`,
      );
    await tx`
      INSERT INTO private.campus_currency (currency) VALUES (${currency})
      ON CONFLICT (is_only) DO UPDATE SET currency = EXCLUDED.currency`;
  });

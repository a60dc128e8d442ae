import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { findTicketPriceProblem, type TicketFacts } from '#contract/tickets.ts';
import type { App } from '#server/app.ts';

type PricedListing = TicketFacts & { price: number | null };

/** Throws a field error when a submitted listing cannot be published because of the cap on the price of tickets. */
export const assertTicketPriceAllowed = ({ config: { campus } }: App, listing: PricedListing): void => {
  const found = findTicketPriceProblem(campus, listing);
  if (found) throw createFieldProblem({ [found.field]: found.message });
};

/** Throws listing_incomplete when a stored listing cannot be published because of this cap. */
export const assertTicketsPublishable = ({ config: { campus } }: App, listing: PricedListing): void => {
  const found = findTicketPriceProblem(campus, listing);
  if (!found) return;
  const { field, message: sentence } = found;
  throw createProblem('listing_incomplete', { sentence, fields: { [field]: sentence } });
};

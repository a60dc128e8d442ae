-- Deals (docs/deals.md). contract/deal-process.ts documents the columns of the process.

CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE deals (
  id                   uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  listing_id           uuid REFERENCES listings ON DELETE SET NULL,
  conversation_id      uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
  buyer_id             uuid REFERENCES users ON DELETE SET NULL,
  seller_id            uuid REFERENCES users ON DELETE SET NULL,
  kind                 text NOT NULL CHECK (kind IN ('sale', 'gift', 'rental')),
  state                text NOT NULL CHECK (state IN ('offered', 'held', 'handed_over', 'out', 'back', 'completed',
                         'no_show', 'declined', 'withdrawn', 'expired', 'lapsed', 'cancelled', 'closed')),
  -- The party that answers the offer; set only while the deal is offered.
  turn                 text CHECK (turn IN ('buyer', 'seller')),
  -- Copied from the listing when the deal starts; later changes to the listing do not affect them.
  title                text NOT NULL,
  price                numeric(8, 2) NOT NULL CHECK (price BETWEEN 0 AND 100000),
  first_day            date,
  last_day             date,
  -- Number of transitions so far, which is also the number of the newest event line.
  number               int NOT NULL DEFAULT 1,
  offer_count          int NOT NULL DEFAULT 1,
  deadline_at          timestamptz,
  -- Whether the offer waits for the end of somebody else's hold, or for a draw. It has no deadline then.
  is_waiting           boolean NOT NULL DEFAULT false,
  -- Position in the drawn order; null without a draw.
  draw_rank            int,
  hold_hours           int NOT NULL DEFAULT 48 CHECK (hold_hours IN (24, 48)),
  -- The place of the handover: the id of a meeting spot with its name, or free text.
  spot_id              uuid,
  place                text CHECK (char_length(place) BETWEEN 1 AND 200),
  proposed_times       timestamptz[] NOT NULL DEFAULT '{}' CHECK (cardinality(proposed_times) <= 3),
  handover_proposed_by text CHECK (handover_proposed_by IN ('buyer', 'seller')),
  handover_at          timestamptz,
  handover_agreed_at   timestamptz,
  -- The place of the agreed handover, which differs from `place` while a new proposal has no answer.
  agreed_spot_id       uuid,
  agreed_place         text CHECK (char_length(agreed_place) BETWEEN 1 AND 200),
  calendar_sequence    int NOT NULL DEFAULT 0,
  is_running_late      boolean NOT NULL DEFAULT false,
  has_agreed_in_chat   boolean NOT NULL DEFAULT false,
  has_kept_hold        boolean NOT NULL DEFAULT false,
  has_objected         boolean NOT NULL DEFAULT false,
  requested_last_day   date,
  -- The party that canceled, and whether the cancellation counts as late.
  cancelled_by         text CHECK (cancelled_by IN ('buyer', 'seller')),
  is_late              boolean NOT NULL DEFAULT false,
  reported             text CHECK (reported IN ('buyer', 'seller')),
  is_contested         boolean NOT NULL DEFAULT false,
  created_at           timestamptz NOT NULL,
  -- When the latest transition was made.
  changed_at           timestamptz NOT NULL,
  completed_at         timestamptz,
  CONSTRAINT deals_turn_while_offered CHECK ((turn IS NOT NULL) = (state = 'offered')),
  CONSTRAINT deals_days_of_rentals CHECK (
    (kind = 'rental') = (first_day IS NOT NULL) AND (first_day IS NULL) = (last_day IS NULL) AND first_day <= last_day),
  -- A listing has one hold, and the days of its rentals do not overlap.
  CONSTRAINT deals_one_rental_per_day EXCLUDE USING gist (listing_id WITH =, daterange(first_day, last_day, '[]') WITH &&)
    WHERE (kind = 'rental' AND state IN ('held', 'handed_over', 'out', 'back'))
);
CREATE UNIQUE INDEX deals_one_hold ON deals (listing_id) WHERE kind <> 'rental' AND state IN ('held', 'handed_over');
CREATE UNIQUE INDEX deals_one_open ON deals (listing_id, buyer_id)
  WHERE state IN ('offered', 'held', 'handed_over', 'out', 'back');
CREATE INDEX deals_of_listing ON deals (listing_id, created_at, id);
CREATE INDEX deals_of_conversation ON deals (conversation_id, created_at DESC);
CREATE INDEX deals_of_buyer ON deals (buyer_id, created_at DESC, id DESC);
CREATE INDEX deals_of_seller ON deals (seller_id, created_at DESC, id DESC);
CREATE INDEX deals_by_deadline ON deals (deadline_at) WHERE deadline_at IS NOT NULL;

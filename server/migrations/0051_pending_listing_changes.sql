-- The previous state of a listing that its owner changed, for each open deal whose parties have not
-- been informed yet. A minute later, a job compares it with the listing, records the difference in
-- the conversation and removes the row. A later file adds the foreign key to the listing.
CREATE TABLE pending_listing_changes (
  deal_id    uuid PRIMARY KEY REFERENCES deals ON DELETE CASCADE,
  listing_id uuid NOT NULL,
  before     jsonb NOT NULL
);
CREATE INDEX pending_changes_of_listing ON pending_listing_changes (listing_id);

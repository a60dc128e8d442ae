-- A listing as it was before its owner changed it, for each open deal whose parties have not been informed yet. A job
-- compares it with the listing a minute later, records the difference in the conversation and removes the row. A later file
-- adds the foreign key of the listing.
CREATE TABLE pending_listing_changes (
  deal_id    uuid PRIMARY KEY REFERENCES deals ON DELETE CASCADE,
  listing_id uuid NOT NULL,
  before     jsonb NOT NULL
);
CREATE INDEX pending_changes_of_listing ON pending_listing_changes (listing_id);

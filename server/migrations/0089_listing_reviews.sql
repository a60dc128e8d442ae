-- The check is validated in the next file.
ALTER TABLE listings
  -- Since when the listing waits for a moderator because of its wording; null unless it is in review.
  ADD COLUMN held_at timestamptz,
  -- When a moderator approved title and description as they are; null once one of them changes.
  ADD COLUMN wording_approved_at timestamptz,
  -- What a moderator asked the owner to change before the listing is published again; null otherwise.
  ADD COLUMN IF NOT EXISTS requested_changes text,
  DROP CONSTRAINT listings_published_complete,
  ADD CONSTRAINT listings_published_complete CHECK (status = 'draft' OR (
    title IS NOT NULL AND char_length(title) >= 10
    AND description IS NOT NULL AND char_length(description) >= 40
    AND location IS NOT NULL AND char_length(location) >= 1
    AND category IS NOT NULL AND condition IS NOT NULL
    -- A listing can be in review before it is published for the first time.
    AND (status = 'in_review' OR published_at IS NOT NULL)
    AND price IS NOT NULL AND (category = 'free') = (price = 0)
    AND (contact_email IS NOT NULL OR contact_phone IS NOT NULL))) NOT VALID,
  ADD CONSTRAINT listings_held_in_review CHECK (status <> 'in_review' OR held_at IS NOT NULL) NOT VALID;

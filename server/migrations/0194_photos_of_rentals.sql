-- The deal whose rented item a photo of a message shows, and whether it was taken at pick-up or at return.
ALTER TABLE private.objects
  ADD COLUMN deal_id uuid,
  ADD COLUMN deal_step text,
  ADD CONSTRAINT objects_deal_step_check CHECK (deal_step IN ('pick_up', 'return')) NOT VALID;
CREATE INDEX IF NOT EXISTS objects_of_deals ON private.objects (deal_id) WHERE deal_id IS NOT NULL;

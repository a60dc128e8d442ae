-- Whether a party has said "I'm here" or "Running late" about the agreed handover. Each is possible once until another time
-- is agreed.
ALTER TABLE deals
  ADD COLUMN is_buyer_here boolean NOT NULL DEFAULT false,
  ADD COLUMN is_seller_here boolean NOT NULL DEFAULT false,
  ADD COLUMN is_buyer_late boolean NOT NULL DEFAULT false,
  ADD COLUMN is_seller_late boolean NOT NULL DEFAULT false;

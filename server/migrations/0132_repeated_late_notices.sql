-- When a party last said "Running late", which it can say again after a quarter of an hour.
ALTER TABLE deals
  ADD COLUMN buyer_late_at timestamptz,
  ADD COLUMN seller_late_at timestamptz;

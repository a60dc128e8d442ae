-- The indexes with which a person's coming handovers are read. With millions of deals, create them beforehand
-- (docs/migrations.md).
CREATE INDEX IF NOT EXISTS deals_handovers_of_buyer ON deals (buyer_id, handover_at)
  WHERE state = 'held' AND handover_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS deals_handovers_of_seller ON deals (seller_id, handover_at)
  WHERE state = 'held' AND handover_at IS NOT NULL;

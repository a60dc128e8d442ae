-- Sales whose named buyer has not confirmed them, for the job that asks buyers whom the queue missed.
CREATE INDEX IF NOT EXISTS listings_unconfirmed_sales ON listings (sold_at)
  WHERE sold_to IS NOT NULL AND sale_confirmed_at IS NULL;

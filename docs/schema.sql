-- The tables, indexes, triggers and functions after all migrations, for reading only; extensions are not
-- listed. After adding a migration, renew this file with:
-- npm test -- server/platform/postgres/schema.test.ts -u

CREATE TABLE away_periods (
  user_id uuid NOT NULL,
  began_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  CONSTRAINT away_periods_pkey PRIMARY KEY (user_id, began_at),
  CONSTRAINT away_periods_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE blocks (
  user_id uuid NOT NULL,
  blocked_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT blocks_pkey PRIMARY KEY (user_id, blocked_id),
  CONSTRAINT blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT blocks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT blocks_check CHECK ((user_id <> blocked_id))
);
CREATE INDEX blocks_by_blocked ON public.blocks USING btree (blocked_id);
CREATE INDEX blocks_by_time ON public.blocks USING btree (user_id, created_at DESC, blocked_id DESC);

CREATE TABLE books (
  isbn text NOT NULL,
  title text NOT NULL,
  authors text,
  edition text,
  published_year smallint,
  CONSTRAINT books_pkey PRIMARY KEY (isbn)
);

CREATE TABLE conversations (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  listing_id uuid,
  listing_title text NOT NULL,
  buyer_id uuid,
  seller_id uuid,
  last_seq bigint DEFAULT 0 NOT NULL,
  buyer_read_seq bigint DEFAULT 0 NOT NULL,
  seller_read_seq bigint DEFAULT 0 NOT NULL,
  seller_told_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  buyer_seen_at timestamp with time zone,
  seller_seen_at timestamp with time zone,
  buyer_waiting_since timestamp with time zone,
  seller_waiting_since timestamp with time zone,
  buyer_waiting_from bigint,
  seller_waiting_from bigint,
  buyer_acted_seq bigint DEFAULT 0 NOT NULL,
  seller_acted_seq bigint DEFAULT 0 NOT NULL,
  buyer_archived_seq bigint,
  seller_archived_seq bigint,
  buyer_muted_until timestamp with time zone,
  seller_muted_until timestamp with time zone,
  buyer_marked_unread boolean DEFAULT false NOT NULL,
  seller_marked_unread boolean DEFAULT false NOT NULL,
  is_started_by_seller boolean DEFAULT false NOT NULL,
  folded_seq bigint DEFAULT 0 NOT NULL,
  CONSTRAINT conversations_unique UNIQUE (listing_id, buyer_id, seller_id),
  CONSTRAINT conversations_pkey PRIMARY KEY (id),
  CONSTRAINT conversations_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT conversations_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE SET NULL,
  CONSTRAINT conversations_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT conversations_two_people CHECK ((buyer_id <> seller_id))
);
CREATE INDEX conversations_marked_by_buyer ON public.conversations USING btree (buyer_id) WHERE buyer_marked_unread;
CREATE INDEX conversations_marked_by_seller ON public.conversations USING btree (seller_id) WHERE seller_marked_unread;
CREATE INDEX conversations_of_buyer ON public.conversations USING btree (buyer_id, updated_at DESC);
CREATE INDEX conversations_of_seller ON public.conversations USING btree (seller_id, updated_at DESC);
CREATE INDEX conversations_to_fold ON public.conversations USING btree (id) WHERE (folded_seq < last_seq);
CREATE INDEX conversations_unread_by_buyer ON public.conversations USING btree (buyer_id) INCLUDE (last_seq, buyer_read_seq) WHERE (buyer_read_seq < last_seq);
CREATE INDEX conversations_unread_by_seller ON public.conversations USING btree (seller_id) INCLUDE (last_seq, seller_read_seq) WHERE (seller_read_seq < last_seq);
CREATE INDEX conversations_waiting_for_buyer ON public.conversations USING btree (buyer_waiting_since) WHERE ((buyer_waiting_since IS NOT NULL) AND (buyer_id IS NOT NULL));
CREATE INDEX conversations_waiting_for_seller ON public.conversations USING btree (seller_waiting_since) WHERE ((seller_waiting_since IS NOT NULL) AND (seller_id IS NOT NULL));
CREATE INDEX conversations_without_messages ON public.conversations USING btree (created_at) WHERE (last_seq = 0);

CREATE TABLE course_books (
  course text NOT NULL,
  isbn text NOT NULL,
  CONSTRAINT course_books_pkey PRIMARY KEY (course, isbn),
  CONSTRAINT course_books_course_fkey FOREIGN KEY (course) REFERENCES courses(code) ON DELETE CASCADE
);
CREATE INDEX course_books_of_isbn ON public.course_books USING btree (isbn);

CREATE TABLE courses (
  code text NOT NULL,
  title text NOT NULL,
  term text,
  CONSTRAINT courses_pkey PRIMARY KEY (code)
);

CREATE TABLE deals (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  listing_id uuid,
  conversation_id uuid NOT NULL,
  buyer_id uuid,
  seller_id uuid,
  kind text NOT NULL,
  state text NOT NULL,
  turn text,
  title text NOT NULL,
  price numeric,
  first_day date,
  last_day date,
  number integer DEFAULT 1 NOT NULL,
  offer_count integer DEFAULT 1 NOT NULL,
  deadline_at timestamp with time zone,
  is_waiting boolean DEFAULT false NOT NULL,
  draw_rank integer,
  hold_hours integer DEFAULT 48 NOT NULL,
  spot_id uuid,
  place text,
  proposed_times timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
  handover_proposed_by text,
  handover_at timestamp with time zone,
  handover_agreed_at timestamp with time zone,
  agreed_spot_id uuid,
  agreed_place text,
  calendar_sequence integer DEFAULT 0 NOT NULL,
  is_running_late boolean DEFAULT false NOT NULL,
  has_agreed_in_chat boolean DEFAULT false NOT NULL,
  has_kept_hold boolean DEFAULT false NOT NULL,
  has_objected boolean DEFAULT false NOT NULL,
  requested_last_day date,
  cancelled_by text,
  is_late boolean DEFAULT false NOT NULL,
  reported text,
  is_contested boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  completed_at timestamp with time zone,
  next_notice_at timestamp with time zone DEFAULT now(),
  is_buyer_here boolean DEFAULT false NOT NULL,
  is_seller_here boolean DEFAULT false NOT NULL,
  is_buyer_late boolean DEFAULT false NOT NULL,
  is_seller_late boolean DEFAULT false NOT NULL,
  buyer_late_at timestamp with time zone,
  seller_late_at timestamp with time zone,
  ticket_price_cap smallint,
  pickup_time time(0) without time zone,
  return_time time(0) without time zone,
  deposit numeric,
  requested_extra_price numeric,
  extra_price numeric,
  CONSTRAINT deals_one_rental_at_a_time EXCLUDE USING gist (listing_id WITH =, tsrange((first_day + COALESCE(pickup_time, '00:00:00'::time without time zone)), (last_day + COALESCE(return_time, '24:00:00'::time without time zone))) WITH &&) WHERE (((kind = 'rental'::text) AND (state = ANY (ARRAY['held'::text, 'handed_over'::text, 'out'::text, 'back'::text])))),
  CONSTRAINT deals_pkey PRIMARY KEY (id),
  CONSTRAINT deals_buyer_id_fkey FOREIGN KEY (buyer_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT deals_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  CONSTRAINT deals_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE SET NULL,
  CONSTRAINT deals_seller_id_fkey FOREIGN KEY (seller_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT deals_agreed_place_check CHECK (((char_length(agreed_place) >= 1) AND (char_length(agreed_place) <= 200))),
  CONSTRAINT deals_cancelled_by_check CHECK ((cancelled_by = ANY (ARRAY['buyer'::text, 'seller'::text]))),
  CONSTRAINT deals_days_of_rentals CHECK (((((kind = 'rental'::text) AND (price IS NOT NULL)) = (first_day IS NOT NULL)) AND ((first_day IS NULL) = (last_day IS NULL)) AND (first_day <= last_day))),
  CONSTRAINT deals_handover_proposed_by_check CHECK ((handover_proposed_by = ANY (ARRAY['buyer'::text, 'seller'::text]))),
  CONSTRAINT deals_hold_hours_check CHECK ((hold_hours = ANY (ARRAY[24, 48]))),
  CONSTRAINT deals_kind_check CHECK ((kind = ANY (ARRAY['sale'::text, 'gift'::text, 'rental'::text]))),
  CONSTRAINT deals_place_check CHECK (((char_length(place) >= 1) AND (char_length(place) <= 200))),
  CONSTRAINT deals_price_check CHECK (((price >= (0)::numeric) AND (price <= ('10000000000'::bigint)::numeric))),
  CONSTRAINT deals_price_of_open_deals CHECK (((price IS NOT NULL) OR (state = 'completed'::text))),
  CONSTRAINT deals_proposed_times_check CHECK ((cardinality(proposed_times) <= 3)),
  CONSTRAINT deals_reported_check CHECK ((reported = ANY (ARRAY['buyer'::text, 'seller'::text]))),
  CONSTRAINT deals_state_check CHECK ((state = ANY (ARRAY['offered'::text, 'held'::text, 'handed_over'::text, 'out'::text, 'back'::text, 'completed'::text, 'no_show'::text, 'declined'::text, 'withdrawn'::text, 'expired'::text, 'lapsed'::text, 'cancelled'::text, 'closed'::text]))),
  CONSTRAINT deals_times_of_rentals CHECK ((((kind = 'rental'::text) OR (COALESCE(pickup_time, return_time) IS NULL)) AND ((first_day + COALESCE(pickup_time, '00:00:00'::time without time zone)) < (last_day + COALESCE(return_time, '24:00:00'::time without time zone))))),
  CONSTRAINT deals_turn_check CHECK ((turn = ANY (ARRAY['buyer'::text, 'seller'::text]))),
  CONSTRAINT deals_turn_while_offered CHECK (((turn IS NOT NULL) = (state = 'offered'::text)))
);
CREATE INDEX deals_by_completion ON public.deals USING btree (completed_at) WHERE (completed_at IS NOT NULL);
CREATE INDEX deals_by_deadline ON public.deals USING btree (deadline_at) WHERE (deadline_at IS NOT NULL);
CREATE INDEX deals_by_next_notice ON public.deals USING btree (next_notice_at) WHERE (next_notice_at IS NOT NULL);
CREATE INDEX deals_handovers_of_buyer ON public.deals USING btree (buyer_id, handover_at) WHERE ((state = 'held'::text) AND (handover_at IS NOT NULL));
CREATE INDEX deals_handovers_of_seller ON public.deals USING btree (seller_id, handover_at) WHERE ((state = 'held'::text) AND (handover_at IS NOT NULL));
CREATE INDEX deals_of_buyer ON public.deals USING btree (buyer_id, created_at DESC, id DESC);
CREATE INDEX deals_of_conversation ON public.deals USING btree (conversation_id, created_at DESC);
CREATE INDEX deals_of_listing ON public.deals USING btree (listing_id, created_at, id);
CREATE INDEX deals_of_seller ON public.deals USING btree (seller_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX deals_one_hold ON public.deals USING btree (listing_id) WHERE ((kind <> 'rental'::text) AND (state = ANY (ARRAY['held'::text, 'handed_over'::text])));
CREATE UNIQUE INDEX deals_one_open ON public.deals USING btree (listing_id, buyer_id) WHERE (state = ANY (ARRAY['offered'::text, 'held'::text, 'handed_over'::text, 'out'::text, 'back'::text]));
CREATE INDEX deals_uncontested_no_shows ON public.deals USING btree (changed_at) WHERE ((state = 'no_show'::text) AND (reported IS NOT NULL) AND (NOT is_contested));
CREATE INDEX deals_waiting_for_days ON public.deals USING btree (last_day) WHERE (is_waiting AND (last_day IS NOT NULL));

CREATE TABLE due_pushes (
  user_id uuid NOT NULL,
  source text NOT NULL,
  subject_id uuid NOT NULL,
  kind text NOT NULL,
  detail text DEFAULT ''::text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT due_pushes_pkey PRIMARY KEY (user_id, source, subject_id, kind, detail),
  CONSTRAINT due_pushes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX due_pushes_by_time ON public.due_pushes USING btree (due_at);

CREATE TABLE games (
  day date NOT NULL,
  name text NOT NULL,
  CONSTRAINT games_pkey PRIMARY KEY (day, name)
);

CREATE TABLE listing_prices (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  listing_id uuid NOT NULL,
  price numeric NOT NULL,
  rental_period text,
  until timestamp with time zone NOT NULL,
  CONSTRAINT listing_prices_pkey PRIMARY KEY (id),
  CONSTRAINT listing_prices_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX listing_prices_by_time ON public.listing_prices USING btree (until);
CREATE INDEX listing_prices_of_listing ON public.listing_prices USING btree (listing_id, until);

CREATE TABLE listings (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  slug text NOT NULL,
  user_id uuid NOT NULL,
  title text,
  description text,
  price numeric,
  photos text[] DEFAULT '{}'::text[] NOT NULL,
  category text,
  condition text,
  location text,
  status text NOT NULL,
  game_date date,
  contact_email text,
  contact_phone text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  published_at timestamp with time zone,
  search_text text GENERATED ALWAYS AS (lower(((((((((COALESCE(title, ''::text) || '
'::text) || COALESCE(description, ''::text)) || '
'::text) || COALESCE(location, ''::text)) || '
'::text) || COALESCE(category, ''::text)) || '
'::text) ||
CASE category
    WHEN 'game-day'::text THEN 'Game Day'::text
    WHEN 'merchandise'::text THEN 'Merch'::text
    WHEN 'study-items'::text THEN 'Study Items'::text
    ELSE ''::text
END))),
  hidden_at timestamp with time zone,
  hidden_with text,
  hidden_reason text,
  client_id uuid,
  deleted_at timestamp with time zone,
  status_before_deletion text,
  hold_hours integer DEFAULT 48 NOT NULL,
  is_price_firm boolean DEFAULT false NOT NULL,
  rental_period text DEFAULT 'flexible'::text NOT NULL,
  gift_mode text DEFAULT 'first_come'::text NOT NULL,
  draw_hours integer DEFAULT 24 NOT NULL,
  draw_closes_at timestamp with time zone,
  drawn_at timestamp with time zone,
  is_on_hold boolean DEFAULT false NOT NULL,
  sold_at timestamp with time zone,
  rented_until date,
  sold_to uuid,
  sale_confirmed_at timestamp with time zone,
  held_at timestamp with time zone,
  wording_approved_at timestamp with time zone,
  requested_changes text,
  folded_text text,
  ended_at timestamp with time zone,
  paused_at timestamp with time zone,
  away_until date,
  confirmed_at timestamp with time zone,
  asked_at timestamp with time zone,
  copied_from uuid,
  isbn text,
  authors text,
  edition text,
  published_year integer,
  course text,
  size text,
  event_name text,
  section text,
  seat_row text,
  seats text,
  ticket_count smallint,
  ticket_sale text,
  face_value numeric,
  ticket_transfer text,
  day_price numeric,
  week_price numeric,
  month_price numeric,
  min_rental_days smallint,
  max_rental_days smallint,
  handout_days text,
  deposit numeric,
  CONSTRAINT listings_slug_key UNIQUE (slug),
  CONSTRAINT listings_pkey PRIMARY KEY (id),
  CONSTRAINT listings_sold_to_fkey FOREIGN KEY (sold_to) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT listings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT listings_book_and_size_bound CHECK (((isbn ~ '^\d{13}$'::text) AND (char_length(authors) <= 200) AND (char_length(edition) <= 40) AND (char_length(course) <= 20) AND (char_length(size) <= 20))),
  CONSTRAINT listings_category_known CHECK ((category = ANY (ARRAY['game-day'::text, 'merchandise'::text, 'furniture'::text, 'rentals'::text, 'textbooks'::text, 'electronics'::text, 'clothing'::text, 'study-items'::text, 'kitchen'::text, 'trojan-merch'::text, 'free'::text]))),
  CONSTRAINT listings_condition_known CHECK ((condition = ANY (ARRAY['new'::text, 'like-new'::text, 'good'::text, 'fair'::text]))),
  CONSTRAINT listings_contact_bound CHECK (((char_length(contact_email) <= 254) AND (char_length(contact_phone) <= 30))),
  CONSTRAINT listings_description_bound CHECK ((char_length(description) <= 1000)),
  CONSTRAINT listings_draw_closes CHECK (((status <> 'published'::text) OR (gift_mode <> 'draw'::text) OR (draw_closes_at IS NOT NULL))),
  CONSTRAINT listings_draw_hours_bound CHECK (((draw_hours >= 1) AND (draw_hours <= 48))),
  CONSTRAINT listings_gift_mode_known CHECK ((gift_mode = ANY (ARRAY['first_come'::text, 'draw'::text]))),
  CONSTRAINT listings_handout_days_check CHECK ((handout_days ~ '^[1-7]{1,7}$'::text)),
  CONSTRAINT listings_held_in_review CHECK (((status <> 'in_review'::text) OR (held_at IS NOT NULL))),
  CONSTRAINT listings_hidden_are_drafts CHECK (((hidden_at IS NULL) OR (status = 'draft'::text))),
  CONSTRAINT listings_hidden_reason_check CHECK (((char_length(hidden_reason) >= 1) AND (char_length(hidden_reason) <= 500))),
  CONSTRAINT listings_hidden_somehow CHECK (((hidden_at IS NULL) = (hidden_with IS NULL))),
  CONSTRAINT listings_hidden_with_check CHECK ((hidden_with = ANY (ARRAY['listing'::text, 'account'::text]))),
  CONSTRAINT listings_hold_hours_known CHECK ((hold_hours = ANY (ARRAY[24, 48]))),
  CONSTRAINT listings_location_bound CHECK ((char_length(location) <= 200)),
  CONSTRAINT listings_photos_bound CHECK ((cardinality(photos) <= 5)),
  CONSTRAINT listings_price_bound CHECK (((price >= (0)::numeric) AND (price <= ('10000000000'::bigint)::numeric))),
  CONSTRAINT listings_published_complete CHECK (((status = 'draft'::text) OR ((title IS NOT NULL) AND (char_length(title) >= 10) AND (description IS NOT NULL) AND (char_length(description) >= 40) AND (location IS NOT NULL) AND (char_length(location) >= 1) AND (category IS NOT NULL) AND (condition IS NOT NULL) AND ((status = 'in_review'::text) OR (published_at IS NOT NULL)) AND (price IS NOT NULL) AND ((category = 'free'::text) = (price = (0)::numeric)) AND ((contact_email IS NOT NULL) OR (contact_phone IS NOT NULL))))),
  CONSTRAINT listings_rental_period_known CHECK ((rental_period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'flexible'::text]))),
  CONSTRAINT listings_sale_known CHECK ((((sold_at IS NOT NULL) OR ((rented_until IS NULL) AND (sold_to IS NULL))) AND ((sale_confirmed_at IS NULL) OR (sold_at IS NOT NULL)))),
  CONSTRAINT listings_sold_at_known CHECK (((status <> 'sold'::text) OR (sold_at IS NOT NULL))),
  CONSTRAINT listings_status_before_deletion_known CHECK ((((deleted_at IS NULL) = (status_before_deletion IS NULL)) AND (status_before_deletion = ANY (ARRAY['published'::text, 'draft'::text, 'sold'::text, 'in_review'::text])))),
  CONSTRAINT listings_status_known CHECK ((status = ANY (ARRAY['published'::text, 'draft'::text, 'sold'::text, 'in_review'::text]))),
  CONSTRAINT listings_title_bound CHECK ((char_length(title) <= 80))
);
CREATE INDEX listings_asked ON public.listings USING btree (asked_at) WHERE ((asked_at IS NOT NULL) AND (status = 'published'::text));
CREATE INDEX listings_by_creation ON public.listings USING btree (created_at);
CREATE INDEX listings_by_price ON public.listings USING btree (price, created_at DESC, id DESC) WHERE (status = 'published'::text);
CREATE INDEX listings_by_price_desc ON public.listings USING btree (price DESC, created_at DESC, id DESC) WHERE (status = 'published'::text);
CREATE INDEX listings_by_tending ON public.listings USING btree (GREATEST(updated_at, confirmed_at)) WHERE (status = 'published'::text);
CREATE INDEX listings_deleted ON public.listings USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX listings_folded_word_endings ON public.listings USING gin (private.word_endings(folded_text)) WHERE (status = 'published'::text);
CREATE INDEX listings_folded_word_meetings ON public.listings USING gin (private.word_meetings(folded_text)) WHERE (status = 'published'::text);
CREATE INDEX listings_game_days ON public.listings USING btree (game_date, created_at DESC, id DESC) WHERE ((status = 'published'::text) AND (category = 'game-day'::text));
CREATE INDEX listings_in_size_large ON public.listings USING btree (created_at DESC, id DESC, category, private.has_kind(title, description, 'tickets'::text), private.has_kind(title, description, 'tailgate-gear'::text), private.has_kind(title, description, 'parking-passes'::text)) INCLUDE (status) WHERE COALESCE((size = 'large'::text), private.has_size(title, description, 'large'::text));
CREATE INDEX listings_in_size_medium ON public.listings USING btree (created_at DESC, id DESC, category, private.has_kind(title, description, 'tickets'::text), private.has_kind(title, description, 'tailgate-gear'::text), private.has_kind(title, description, 'parking-passes'::text)) INCLUDE (status) WHERE COALESCE((size = 'medium'::text), private.has_size(title, description, 'medium'::text));
CREATE INDEX listings_in_size_small ON public.listings USING btree (created_at DESC, id DESC, category, private.has_kind(title, description, 'tickets'::text), private.has_kind(title, description, 'tailgate-gear'::text), private.has_kind(title, description, 'parking-passes'::text)) INCLUDE (status) WHERE COALESCE((size = 'small'::text), private.has_size(title, description, 'small'::text));
CREATE INDEX listings_in_size_xl ON public.listings USING btree (created_at DESC, id DESC, category, private.has_kind(title, description, 'tickets'::text), private.has_kind(title, description, 'tailgate-gear'::text), private.has_kind(title, description, 'parking-passes'::text)) INCLUDE (status) WHERE COALESCE((size = 'xl'::text), private.has_size(title, description, 'xl'::text));
CREATE INDEX listings_known_by_isbn ON public.listings USING btree (isbn, created_at DESC, id DESC) WHERE ((status = ANY (ARRAY['published'::text, 'sold'::text])) AND (isbn IS NOT NULL));
CREATE INDEX listings_newest ON public.listings USING btree (created_at DESC, id DESC) WHERE (status = 'published'::text);
CREATE INDEX listings_of_away_sellers ON public.listings USING btree (away_until, id) WHERE ((status = 'published'::text) AND (away_until IS NOT NULL));
CREATE INDEX listings_of_category ON public.listings USING btree (category, created_at DESC, id DESC) WHERE (status = 'published'::text);
CREATE INDEX listings_of_category_by_condition ON public.listings USING btree (category, (
CASE condition
    WHEN 'new'::text THEN 1
    WHEN 'like-new'::text THEN 2
    WHEN 'good'::text THEN 3
    ELSE 4
END), created_at DESC, id DESC) WHERE (status = 'published'::text);
CREATE INDEX listings_of_category_by_location ON public.listings USING btree (category, lower(location), created_at DESC, id DESC) WHERE (status = 'published'::text);
CREATE INDEX listings_of_category_by_price ON public.listings USING btree (category, price, created_at DESC, id DESC) WHERE (status = 'published'::text);
CREATE INDEX listings_of_category_by_price_desc ON public.listings USING btree (category, price DESC, created_at DESC, id DESC) WHERE (status = 'published'::text);
CREATE UNIQUE INDEX listings_of_client ON public.listings USING btree (user_id, client_id) WHERE (client_id IS NOT NULL);
CREATE INDEX listings_of_course ON public.listings USING btree (course, created_at DESC, id DESC) WHERE ((status = 'published'::text) AND (course IS NOT NULL));
CREATE INDEX listings_of_isbn ON public.listings USING btree (isbn, created_at DESC, id DESC) WHERE ((status = 'published'::text) AND (isbn IS NOT NULL));
CREATE INDEX listings_of_kind_parking_passes_by_category ON public.listings USING btree (created_at DESC, id DESC, category) INCLUDE (status) WHERE private.has_kind(title, description, 'parking-passes'::text);
CREATE INDEX listings_of_kind_tailgate_gear_by_category ON public.listings USING btree (created_at DESC, id DESC, category) INCLUDE (status) WHERE private.has_kind(title, description, 'tailgate-gear'::text);
CREATE INDEX listings_of_kind_tickets_by_category ON public.listings USING btree (created_at DESC, id DESC, category) INCLUDE (status) WHERE private.has_kind(title, description, 'tickets'::text);
CREATE INDEX listings_of_kind_tickets_by_fields ON public.listings USING btree (created_at DESC, id DESC, category) INCLUDE (status) WHERE private.offers_tickets(category, title, description, section, seat_row, seats, ticket_count, ticket_sale, face_value);
CREATE INDEX listings_of_size ON public.listings USING btree (size, created_at DESC, id DESC) WHERE ((status = 'published'::text) AND (size IS NOT NULL));
CREATE INDEX listings_of_user ON public.listings USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX listings_seats ON public.listings USING btree (game_date) WHERE ((category = 'game-day'::text) AND (status = 'published'::text) AND (seats IS NOT NULL));
CREATE INDEX listings_sold_to ON public.listings USING btree (sold_to) WHERE (sold_to IS NOT NULL);
CREATE INDEX listings_taken_down ON public.listings USING btree (id) WHERE (hidden_with = 'listing'::text);
CREATE INDEX listings_unconfirmed_sales ON public.listings USING btree (sold_at) WHERE ((sold_to IS NOT NULL) AND (sale_confirmed_at IS NULL));
CREATE INDEX listings_undrawn ON public.listings USING btree (draw_closes_at) WHERE ((gift_mode = 'draw'::text) AND (drawn_at IS NULL));
CREATE INDEX listings_word_endings ON public.listings USING gin (private.word_endings(search_text)) WHERE (status = 'published'::text);
CREATE INDEX listings_word_meetings ON public.listings USING gin (private.word_meetings(search_text)) WHERE (status = 'published'::text);
CREATE TRIGGER add_search_words_of_changed AFTER UPDATE ON public.listings REFERENCING NEW TABLE AS saved FOR EACH STATEMENT EXECUTE FUNCTION private.add_search_words();
CREATE TRIGGER add_search_words_of_new AFTER INSERT ON public.listings REFERENCING NEW TABLE AS saved FOR EACH STATEMENT EXECUTE FUNCTION private.add_search_words();
CREATE TRIGGER fold_listing BEFORE INSERT OR UPDATE OF title, description, location, category ON public.listings FOR EACH ROW EXECUTE FUNCTION private.fold_listing();
CREATE TRIGGER fold_listing_fields BEFORE UPDATE OF isbn, authors, edition, course ON public.listings FOR EACH ROW EXECUTE FUNCTION private.fold_listing();
CREATE TRIGGER fold_listing_tickets BEFORE UPDATE OF event_name, section, seat_row, seats, ticket_transfer ON public.listings FOR EACH ROW EXECUTE FUNCTION private.fold_listing();
CREATE TRIGGER listings_keep_title_of_deleted BEFORE DELETE ON public.listings FOR EACH ROW WHEN ((old.status = ANY (ARRAY['published'::text, 'sold'::text]))) EXECUTE FUNCTION private.keep_listing_title();
CREATE TRIGGER listings_keep_title_of_withdrawn BEFORE UPDATE OF status ON public.listings FOR EACH ROW WHEN (((old.status = ANY (ARRAY['published'::text, 'sold'::text])) AND (new.status = 'draft'::text))) EXECUTE FUNCTION private.keep_listing_title();

CREATE TABLE listings_to_match (
  listing_id uuid NOT NULL,
  before jsonb,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT listings_to_match_pkey PRIMARY KEY (listing_id),
  CONSTRAINT listings_to_match_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX listings_to_match_by_time ON public.listings_to_match USING btree (due_at);

CREATE TABLE meeting_spots (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  name text NOT NULL,
  landmark text,
  is_indoors boolean,
  is_lit boolean,
  has_camera_or_phone boolean,
  opening_hours text,
  confirmed_at timestamp with time zone,
  removed_at timestamp with time zone,
  CONSTRAINT meeting_spots_pkey PRIMARY KEY (id),
  CONSTRAINT meeting_spots_landmark_check CHECK (((char_length(landmark) >= 1) AND (char_length(landmark) <= 200))),
  CONSTRAINT meeting_spots_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  CONSTRAINT meeting_spots_opening_hours_check CHECK (((char_length(opening_hours) >= 1) AND (char_length(opening_hours) <= 100)))
);
CREATE UNIQUE INDEX meeting_spots_by_name ON public.meeting_spots USING btree (lower(name)) WHERE (removed_at IS NULL);

CREATE TABLE message_texts (
  conversation_id uuid NOT NULL,
  block integer NOT NULL,
  to_seq bigint NOT NULL,
  folded_text text NOT NULL,
  CONSTRAINT message_texts_pkey PRIMARY KEY (conversation_id, block),
  CONSTRAINT message_texts_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
);

CREATE TABLE messages (
  conversation_id uuid NOT NULL,
  seq bigint NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  sender_id uuid,
  client_id uuid NOT NULL,
  message_text text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  kind text DEFAULT 'text'::text NOT NULL,
  data jsonb,
  photos uuid[],
  unsent_number integer,
  reply_to_seq bigint,
  CONSTRAINT messages_id_key UNIQUE (id),
  CONSTRAINT messages_once UNIQUE (conversation_id, sender_id, client_id),
  CONSTRAINT messages_pkey PRIMARY KEY (conversation_id, seq),
  CONSTRAINT messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  CONSTRAINT messages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT messages_kind_known CHECK (((kind = ANY (ARRAY['text'::text, 'deal'::text, 'system'::text])) AND ((kind = 'text'::text) = (data IS NULL)))),
  CONSTRAINT messages_length CHECK (((char_length(message_text) >= 1) AND (char_length(message_text) <= 2000)))
);
CREATE INDEX messages_of_sender ON public.messages USING btree (sender_id);
CREATE INDEX messages_unsent ON public.messages USING btree (conversation_id, unsent_number) WHERE (unsent_number IS NOT NULL);
CREATE TRIGGER forget_message_texts AFTER UPDATE OF message_text ON public.messages FOR EACH ROW WHEN ((old.message_text IS DISTINCT FROM new.message_text)) EXECUTE FUNCTION private.forget_message_texts();

CREATE TABLE notification_settings (
  user_id uuid NOT NULL,
  channels_off text[] DEFAULT '{}'::text[] NOT NULL,
  quiet_from smallint DEFAULT 22 NOT NULL,
  quiet_until smallint DEFAULT 8 NOT NULL,
  digest_hour smallint DEFAULT 8 NOT NULL,
  digest_content text DEFAULT 'full'::text NOT NULL,
  push_content text DEFAULT 'full'::text NOT NULL,
  CONSTRAINT notification_settings_pkey PRIMARY KEY (user_id),
  CONSTRAINT notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT notification_settings_digest_content_check CHECK ((digest_content = ANY (ARRAY['full'::text, 'brief'::text]))),
  CONSTRAINT notification_settings_push_content_check CHECK ((push_content = ANY (ARRAY['full'::text, 'hidden'::text])))
);

CREATE TABLE notifications (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  event text NOT NULL,
  subject_id uuid NOT NULL,
  facts jsonb NOT NULL,
  count integer DEFAULT 1 NOT NULL,
  job_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  read_at timestamp with time zone,
  email_due_at timestamp with time zone,
  emailed_count integer DEFAULT 0 NOT NULL,
  CONSTRAINT notifications_pkey PRIMARY KEY (id),
  CONSTRAINT notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notifications_by_time ON public.notifications USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX notifications_to_email ON public.notifications USING btree (email_due_at) WHERE (email_due_at IS NOT NULL);
CREATE UNIQUE INDEX unread_notifications ON public.notifications USING btree (user_id, event, subject_id) WHERE (read_at IS NULL);

CREATE TABLE pending_listing_changes (
  deal_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  before jsonb NOT NULL,
  CONSTRAINT pending_listing_changes_pkey PRIMARY KEY (deal_id),
  CONSTRAINT pending_listing_changes_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id) ON DELETE CASCADE,
  CONSTRAINT pending_listing_changes_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE
);
CREATE INDEX pending_changes_of_listing ON public.pending_listing_changes USING btree (listing_id);

CREATE TABLE private.announcement (
  is_only boolean DEFAULT true NOT NULL,
  text text NOT NULL,
  begins_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  CONSTRAINT announcement_pkey PRIMARY KEY (is_only),
  CONSTRAINT announcement_check CHECK ((begins_at < ends_at)),
  CONSTRAINT announcement_is_only_check CHECK (is_only),
  CONSTRAINT announcement_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 300)))
);

CREATE TABLE private.auth_passwords (
  password_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  method text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  authenticated_at timestamp with time zone,
  CONSTRAINT auth_passwords_pkey PRIMARY KEY (password_hash),
  CONSTRAINT auth_passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX auth_passwords_by_expiry ON private.auth_passwords USING btree (expires_at);
CREATE INDEX auth_passwords_of_user ON private.auth_passwords USING btree (user_id);

CREATE TABLE private.book_imports (
  file_hash text NOT NULL,
  "position" bigint NOT NULL,
  progress jsonb NOT NULL,
  CONSTRAINT book_imports_pkey PRIMARY KEY (file_hash)
);

CREATE TABLE private.campus_addresses (
  user_id uuid NOT NULL,
  email text NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  verified_at timestamp with time zone,
  CONSTRAINT campus_addresses_pkey PRIMARY KEY (user_id),
  CONSTRAINT campus_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT campus_addresses_email_canonical CHECK (((email = lower(btrim(email))) AND (char_length(email) <= 254)))
);
CREATE INDEX campus_addresses_by_mailbox ON private.campus_addresses USING btree (private.mailbox_key(email)) WHERE (verified_at IS NOT NULL);
CREATE INDEX campus_addresses_by_text ON private.campus_addresses USING gin (email gin_trgm_ops) WHERE (verified_at IS NOT NULL);
CREATE UNIQUE INDEX campus_addresses_verified ON private.campus_addresses USING btree (email) WHERE (verified_at IS NOT NULL);
CREATE INDEX campus_addresses_waiting ON private.campus_addresses USING btree (requested_at) WHERE (verified_at IS NULL);

CREATE TABLE private.campus_currency (
  is_only boolean DEFAULT true NOT NULL,
  currency text NOT NULL,
  CONSTRAINT campus_currency_pkey PRIMARY KEY (is_only),
  CONSTRAINT campus_currency_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CONSTRAINT campus_currency_is_only_check CHECK (is_only)
);

CREATE TABLE private.checked_texts (
  table_name text NOT NULL,
  checked_to uuid,
  CONSTRAINT checked_texts_pkey PRIMARY KEY (table_name)
);

CREATE TABLE private.codes (
  email text NOT NULL,
  code_hash bytea,
  purpose text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  sent_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  day_started timestamp with time zone NOT NULL,
  day_attempts integer DEFAULT 0 NOT NULL,
  day_codes integer DEFAULT 0 NOT NULL,
  CONSTRAINT codes_pkey PRIMARY KEY (email),
  CONSTRAINT codes_purpose_check CHECK ((purpose = ANY (ARRAY['signup'::text, 'otp'::text])))
);
CREATE INDEX codes_by_age ON private.codes USING btree (sent_at);

CREATE TABLE private.credentials (
  user_id uuid NOT NULL,
  password_hash text,
  confirmed_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL,
  suspended_at timestamp with time zone,
  signup_device bytea,
  badge_removed_at timestamp with time zone,
  console_role text,
  suspended_until timestamp with time zone,
  suspended_by uuid,
  availability_asked_at timestamp with time zone,
  CONSTRAINT credentials_pkey PRIMARY KEY (user_id),
  CONSTRAINT credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT credentials_console_role_check CHECK ((console_role = ANY (ARRAY['moderator'::text, 'administrator'::text])))
);
CREATE INDEX credentials_by_suspension_end ON private.credentials USING btree (suspended_until) WHERE (suspended_until IS NOT NULL);
CREATE INDEX credentials_suspended ON private.credentials USING btree (user_id) WHERE (suspended_at IS NOT NULL);
CREATE INDEX credentials_unconfirmed ON private.credentials USING btree (updated_at) WHERE (confirmed_at IS NULL);

CREATE TABLE private.factor_challenges (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  session_id uuid NOT NULL,
  factor_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT factor_challenges_session_id_factor_id_key UNIQUE (session_id, factor_id),
  CONSTRAINT factor_challenges_pkey PRIMARY KEY (id),
  CONSTRAINT factor_challenges_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES private.second_factors(id) ON DELETE CASCADE,
  CONSTRAINT factor_challenges_session_id_fkey FOREIGN KEY (session_id) REFERENCES private.sessions(id) ON DELETE CASCADE
);
CREATE INDEX factor_challenges_of_factor ON private.factor_challenges USING btree (factor_id);

CREATE TABLE private.first_availability_check (
  is_only boolean DEFAULT true NOT NULL,
  check_days integer NOT NULL,
  started_at timestamp with time zone NOT NULL,
  CONSTRAINT first_availability_check_pkey PRIMARY KEY (is_only),
  CONSTRAINT first_availability_check_is_only_check CHECK (is_only)
);

CREATE TABLE private.form_answers (
  id uuid NOT NULL,
  form_id uuid NOT NULL,
  author_id uuid,
  answer_text text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  author_name text,
  CONSTRAINT form_answers_pkey PRIMARY KEY (id),
  CONSTRAINT form_answers_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT form_answers_form_id_fkey FOREIGN KEY (form_id) REFERENCES private.forms(id) ON DELETE CASCADE,
  CONSTRAINT form_answers_answer_text_check CHECK (((char_length(answer_text) >= 1) AND (char_length(answer_text) <= 4000)))
);
CREATE INDEX form_answers_of_author ON private.form_answers USING btree (author_id) WHERE (author_id IS NOT NULL);
CREATE INDEX form_answers_of_form ON private.form_answers USING btree (form_id, created_at);

CREATE TABLE private.forms (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  kind text NOT NULL,
  user_id uuid,
  email text,
  content jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  done_at timestamp with time zone,
  done_by text,
  CONSTRAINT forms_pkey PRIMARY KEY (id),
  CONSTRAINT forms_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT forms_kind_check CHECK ((kind = ANY (ARRAY['report'::text, 'contact'::text, 'application'::text, 'deletion-request'::text])))
);
CREATE INDEX forms_by_age ON private.forms USING btree (kind, created_at DESC);
CREATE INDEX forms_newest ON private.forms USING btree (created_at DESC, id DESC);
CREATE INDEX forms_of_user ON private.forms USING btree (user_id);
CREATE INDEX forms_open ON private.forms USING btree (created_at DESC, id DESC) WHERE (done_at IS NULL);

CREATE TABLE private.identities (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  user_id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text,
  role text,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  CONSTRAINT identities_issuer_subject_key UNIQUE (issuer, subject),
  CONSTRAINT identities_user_id_key UNIQUE (user_id),
  CONSTRAINT identities_pkey PRIMARY KEY (id),
  CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT identities_role_check CHECK ((role = ANY (ARRAY['Student'::text, 'Alumni'::text, 'Staff'::text]))),
  CONSTRAINT identities_subject_check CHECK ((char_length(subject) <= 255))
);

CREATE TABLE private.known_devices (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  device_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  first_used_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  day_started timestamp with time zone NOT NULL,
  day_failures integer DEFAULT 0 NOT NULL,
  day_requests integer DEFAULT 0 NOT NULL,
  CONSTRAINT known_devices_device_hash_user_id_key UNIQUE (device_hash, user_id),
  CONSTRAINT known_devices_pkey PRIMARY KEY (id),
  CONSTRAINT known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX known_devices_by_use ON private.known_devices USING btree (last_used_at);
CREATE INDEX known_devices_of_user ON private.known_devices USING btree (user_id, last_used_at);

CREATE TABLE private.mailbox (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  text_body text NOT NULL,
  html_body text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  attachments jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT mailbox_pkey PRIMARY KEY (id)
);

CREATE TABLE private.memberships (
  user_id uuid NOT NULL,
  confirmed_at timestamp with time zone,
  confirmed_with text,
  due_on date,
  questions smallint DEFAULT 0 NOT NULL,
  ends_on date,
  notices smallint DEFAULT 0 NOT NULL,
  ended_at timestamp with time zone,
  is_denied boolean DEFAULT false NOT NULL,
  had_badge boolean,
  link_mailed_at timestamp with time zone,
  CONSTRAINT memberships_pkey PRIMARY KEY (user_id),
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT memberships_confirmed_with_check CHECK ((confirmed_with = ANY (ARRAY['address'::text, 'email_link'::text, 'sign_on'::text, 'administrator'::text])))
);
CREATE INDEX memberships_due ON private.memberships USING btree (due_on) WHERE ((ended_at IS NULL) AND (ends_on IS NULL));
CREATE INDEX memberships_ending ON private.memberships USING btree (ends_on) WHERE ((ended_at IS NULL) AND (ends_on IS NOT NULL));

CREATE TABLE private.moderation_actions (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  case_id uuid NOT NULL,
  action text NOT NULL,
  reason text NOT NULL,
  days integer,
  template text,
  actor_id uuid,
  actor_name text,
  chosen_at timestamp with time zone NOT NULL,
  takes_effect_at timestamp with time zone NOT NULL,
  applied_at timestamp with time zone,
  undone_at timestamp with time zone,
  restored_at timestamp with time zone,
  appeal_hash bytea,
  failure text,
  listing_version text,
  listing_status text,
  actor_role text,
  CONSTRAINT moderation_actions_appeal_hash_key UNIQUE (appeal_hash),
  CONSTRAINT moderation_actions_pkey PRIMARY KEY (id),
  CONSTRAINT moderation_actions_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT moderation_actions_case_id_fkey FOREIGN KEY (case_id) REFERENCES private.moderation_cases(id) ON DELETE CASCADE,
  CONSTRAINT moderation_actions_action_check CHECK ((action = ANY (ARRAY['dismiss'::text, 'warn'::text, 'unpublish'::text, 'request_changes'::text, 'suspend'::text, 'restore'::text]))),
  CONSTRAINT moderation_actions_actor_role_check CHECK ((actor_role = ANY (ARRAY['moderator'::text, 'administrator'::text]))),
  CONSTRAINT moderation_actions_days_check CHECK (((days >= 1) AND (days <= 9999))),
  CONSTRAINT moderation_actions_reason_check CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 500))),
  CONSTRAINT moderation_actions_template_check CHECK ((char_length(template) <= 100))
);
CREATE INDEX moderation_actions_due ON private.moderation_actions USING btree (takes_effect_at) WHERE ((applied_at IS NULL) AND (undone_at IS NULL));
CREATE INDEX moderation_actions_of_case ON private.moderation_actions USING btree (case_id, chosen_at);
CREATE INDEX moderation_actions_of_moderator ON private.moderation_actions USING btree (actor_id) WHERE (actor_id IS NOT NULL);
CREATE UNIQUE INDEX moderation_actions_pending ON private.moderation_actions USING btree (case_id) WHERE ((applied_at IS NULL) AND (undone_at IS NULL));

CREATE TABLE private.moderation_appeals (
  action_id uuid NOT NULL,
  person_id uuid,
  appeal_text text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  decided_at timestamp with time zone,
  is_granted boolean,
  CONSTRAINT moderation_appeals_pkey PRIMARY KEY (action_id),
  CONSTRAINT moderation_appeals_action_id_fkey FOREIGN KEY (action_id) REFERENCES private.moderation_actions(id) ON DELETE CASCADE,
  CONSTRAINT moderation_appeals_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT moderation_appeals_appeal_text_check CHECK (((char_length(appeal_text) >= 1) AND (char_length(appeal_text) <= 1000))),
  CONSTRAINT moderation_appeals_decided CHECK (((decided_at IS NULL) = (is_granted IS NULL)))
);
CREATE INDEX moderation_appeals_of_person ON private.moderation_appeals USING btree (person_id);

CREATE TABLE private.moderation_cases (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  subject text NOT NULL,
  subject_id uuid,
  person_id uuid,
  title text NOT NULL,
  risk smallint NOT NULL,
  report_count integer DEFAULT 0 NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  resolved_at timestamp with time zone,
  assigned_to uuid,
  assigned_until timestamp with time zone,
  reopened_at timestamp with time zone,
  CONSTRAINT moderation_cases_pkey PRIMARY KEY (id),
  CONSTRAINT moderation_cases_assigned_to_fkey FOREIGN KEY (assigned_to) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT moderation_cases_person_id_fkey FOREIGN KEY (person_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT moderation_cases_risk_check CHECK (((risk >= 1) AND (risk <= 3))),
  CONSTRAINT moderation_cases_subject_check CHECK ((subject = ANY (ARRAY['listing'::text, 'user'::text, 'message'::text, 'wanted'::text]))),
  CONSTRAINT moderation_cases_subject_id CHECK (((subject <> 'user'::text) OR (subject_id IS NULL)))
);
CREATE INDEX moderation_appeals_in_order ON private.moderation_cases USING btree (((- risk)), opened_at, id) WHERE ((resolved_at IS NULL) AND (reopened_at IS NOT NULL));
CREATE INDEX moderation_cases_assigned ON private.moderation_cases USING btree (assigned_until) WHERE ((resolved_at IS NULL) AND (assigned_until IS NOT NULL));
CREATE INDEX moderation_cases_by_opening ON private.moderation_cases USING btree (opened_at);
CREATE INDEX moderation_cases_in_order ON private.moderation_cases USING btree (((- risk)), opened_at, id) WHERE (resolved_at IS NULL);
CREATE INDEX moderation_cases_of_moderator ON private.moderation_cases USING btree (assigned_to) WHERE (assigned_to IS NOT NULL);
CREATE INDEX moderation_cases_of_person ON private.moderation_cases USING btree (person_id, opened_at);
CREATE UNIQUE INDEX moderation_cases_of_subject ON private.moderation_cases USING btree (subject, COALESCE(subject_id, person_id)) WHERE ((resolved_at IS NULL) AND (reopened_at IS NULL));
CREATE INDEX moderation_cases_resolved ON private.moderation_cases USING btree (resolved_at DESC, id DESC) WHERE (resolved_at IS NOT NULL);

CREATE TABLE private.moderation_quotes (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  case_id uuid NOT NULL,
  content jsonb NOT NULL,
  photo_count integer NOT NULL,
  quoted_at timestamp with time zone NOT NULL,
  CONSTRAINT moderation_quotes_pkey PRIMARY KEY (id),
  CONSTRAINT moderation_quotes_case_id_fkey FOREIGN KEY (case_id) REFERENCES private.moderation_cases(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX moderation_quotes_once ON private.moderation_quotes USING btree (case_id, md5((content)::text));

CREATE TABLE private.moderation_reports (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  case_id uuid NOT NULL,
  quote_id uuid NOT NULL,
  reporter_id uuid,
  reason text NOT NULL,
  report_text text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT moderation_reports_once UNIQUE (case_id, reporter_id),
  CONSTRAINT moderation_reports_pkey PRIMARY KEY (id),
  CONSTRAINT moderation_reports_case_id_fkey FOREIGN KEY (case_id) REFERENCES private.moderation_cases(id) ON DELETE CASCADE,
  CONSTRAINT moderation_reports_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES private.moderation_quotes(id) ON DELETE CASCADE,
  CONSTRAINT moderation_reports_reporter_id_fkey FOREIGN KEY (reporter_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT moderation_reports_reason_check CHECK ((reason = ANY (ARRAY['prohibited'::text, 'scam'::text, 'spam'::text, 'harassment'::text, 'impersonation'::text, 'other'::text]))),
  CONSTRAINT moderation_reports_report_text_check CHECK ((char_length(report_text) <= 4000))
);
CREATE INDEX moderation_reports_of_quote ON private.moderation_reports USING btree (quote_id);
CREATE INDEX moderation_reports_of_reporter ON private.moderation_reports USING btree (reporter_id, created_at);

CREATE TABLE private.moderation_signals (
  case_id uuid NOT NULL,
  kind text NOT NULL,
  quote_id uuid NOT NULL,
  detail text NOT NULL,
  count integer DEFAULT 1 NOT NULL,
  raised_at timestamp with time zone NOT NULL,
  CONSTRAINT moderation_signals_pkey PRIMARY KEY (case_id, kind),
  CONSTRAINT moderation_signals_case_id_fkey FOREIGN KEY (case_id) REFERENCES private.moderation_cases(id) ON DELETE CASCADE,
  CONSTRAINT moderation_signals_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES private.moderation_quotes(id) ON DELETE CASCADE,
  CONSTRAINT moderation_signals_kind_check CHECK ((kind = ANY (ARRAY['similar_messages'::text, 'many_reports'::text, 'no_shows'::text, 'prohibited_wording'::text, 'same_seat'::text])))
);
CREATE INDEX moderation_signals_of_quote ON private.moderation_signals USING btree (quote_id);

CREATE TABLE private.objects (
  bucket text NOT NULL,
  path text NOT NULL,
  url text GENERATED ALWAYS AS (((('/storage/v1/object/public/'::text || bucket) || '/'::text) || path)) NOT NULL,
  owner_id uuid NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  thumbhash text NOT NULL,
  bytes bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  message_id uuid,
  deal_id uuid,
  deal_step text,
  CONSTRAINT objects_url_key UNIQUE (url),
  CONSTRAINT objects_pkey PRIMARY KEY (bucket, path),
  CONSTRAINT objects_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT objects_bucket_check CHECK ((bucket = ANY (ARRAY['listing-photos'::text, 'avatars'::text, 'message-photos'::text]))),
  CONSTRAINT objects_deal_step_check CHECK ((deal_step = ANY (ARRAY['pick_up'::text, 'return'::text]))) NOT VALID
);
CREATE INDEX objects_of_deals ON private.objects USING btree (deal_id) WHERE (deal_id IS NOT NULL);
CREATE INDEX objects_of_owner ON private.objects USING btree (owner_id, created_at);

CREATE TABLE private.passkey_challenges (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  challenge bytea NOT NULL,
  session_id uuid,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (id),
  CONSTRAINT passkey_challenges_session_id_fkey FOREIGN KEY (session_id) REFERENCES private.sessions(id) ON DELETE CASCADE
);
CREATE INDEX passkey_challenges_by_expiry ON private.passkey_challenges USING btree (expires_at);
CREATE INDEX passkey_challenges_of_session ON private.passkey_challenges USING btree (session_id) WHERE (session_id IS NOT NULL);

CREATE TABLE private.passkeys (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  user_id uuid NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT passkeys_credential_id_check CHECK ((octet_length(credential_id) <= 1023)),
  CONSTRAINT passkeys_name_check CHECK ((char_length(name) <= 120))
);
CREATE INDEX passkeys_of_user ON private.passkeys USING btree (user_id);

CREATE TABLE private.push_subscriptions (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  user_id uuid NOT NULL,
  session_id uuid NOT NULL,
  endpoint text NOT NULL,
  p256dh text NOT NULL,
  auth text NOT NULL,
  device_name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT push_subscriptions_endpoint_key UNIQUE (endpoint),
  CONSTRAINT push_subscriptions_session_id_key UNIQUE (session_id),
  CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id),
  CONSTRAINT push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES private.sessions(id) ON DELETE CASCADE,
  CONSTRAINT push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX push_subscriptions_of_user ON private.push_subscriptions USING btree (user_id);

CREATE UNLOGGED TABLE private.rate_limits (
  key character varying(255) NOT NULL,
  points integer DEFAULT 0 NOT NULL,
  expire bigint,
  CONSTRAINT rate_limits_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limits_by_expiry ON private.rate_limits USING btree (expire);

CREATE TABLE private.recovery_codes (
  factor_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (factor_id, code_hash),
  CONSTRAINT recovery_codes_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES private.second_factors(id) ON DELETE CASCADE
);

CREATE TABLE private.refresh_tokens (
  token_hash bytea NOT NULL,
  session_id uuid NOT NULL,
  successor_salt bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  replaced_at timestamp with time zone,
  CONSTRAINT refresh_tokens_pkey PRIMARY KEY (token_hash),
  CONSTRAINT refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES private.sessions(id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_by_replacement ON private.refresh_tokens USING btree (replaced_at) WHERE (replaced_at IS NOT NULL);
CREATE INDEX refresh_tokens_of_session ON private.refresh_tokens USING btree (session_id);

CREATE TABLE private.replication_heartbeats (
  writer uuid NOT NULL,
  beat bigint NOT NULL,
  written_at timestamp with time zone NOT NULL,
  CONSTRAINT replication_heartbeats_pkey PRIMARY KEY (writer)
);

CREATE TABLE private.reset_tokens (
  user_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT reset_tokens_token_hash_key UNIQUE (token_hash),
  CONSTRAINT reset_tokens_pkey PRIMARY KEY (user_id),
  CONSTRAINT reset_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX reset_tokens_by_expiry ON private.reset_tokens USING btree (expires_at);

CREATE TABLE private.search_words (
  word text NOT NULL,
  stem text NOT NULL,
  CONSTRAINT search_words_pkey PRIMARY KEY (word)
);
CREATE INDEX search_words_by_stem ON private.search_words USING btree (stem);
CREATE INDEX search_words_by_trigram ON private.search_words USING gin (word gin_trgm_ops);

CREATE TABLE private.second_factors (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  name text,
  sealed_secret text,
  created_at timestamp with time zone NOT NULL,
  verified_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL,
  last_used_step bigint,
  wrong_codes integer DEFAULT 0 NOT NULL,
  last_wrong_at timestamp with time zone,
  CONSTRAINT second_factors_pkey PRIMARY KEY (id),
  CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT second_factors_kind_check CHECK ((kind = ANY (ARRAY['totp'::text, 'recovery_code'::text]))),
  CONSTRAINT second_factors_name_check CHECK ((char_length(name) <= 100)),
  CONSTRAINT second_factors_secret CHECK (((kind = 'totp'::text) = (sealed_secret IS NOT NULL)))
);
CREATE INDEX second_factors_by_age ON private.second_factors USING btree (created_at) WHERE (verified_at IS NULL);
CREATE UNIQUE INDEX second_factors_in_enrollment ON private.second_factors USING btree (user_id, kind) WHERE (verified_at IS NULL);
CREATE UNIQUE INDEX second_factors_of_user ON private.second_factors USING btree (user_id, kind) WHERE (verified_at IS NOT NULL);

CREATE TABLE private.security_events (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  at timestamp with time zone NOT NULL,
  event text NOT NULL,
  user_id uuid,
  client text,
  request_id text,
  detail text,
  actor text,
  reason text,
  CONSTRAINT security_events_pkey PRIMARY KEY (id)
);
CREATE INDEX security_events_by_age ON private.security_events USING btree (at);
CREATE INDEX security_events_of_user ON private.security_events USING btree (user_id, at) WHERE (user_id IS NOT NULL);

CREATE TABLE private.sessions (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  user_id uuid NOT NULL,
  method text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  second_factor_at timestamp with time zone,
  second_factor_method text,
  reauthenticated_at timestamp with time zone,
  device_name text,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT sessions_device_name_check CHECK ((char_length(device_name) <= 100))
);
CREATE INDEX sessions_by_use ON private.sessions USING btree (last_used_at);
CREATE INDEX sessions_of_user ON private.sessions USING btree (user_id);

CREATE TABLE private.sign_on_flows (
  token_hash bytea NOT NULL,
  stage text NOT NULL,
  browser_hash bytea,
  code_challenge text,
  redirect_to text,
  session_id uuid,
  identity jsonb,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT sign_on_flows_pkey PRIMARY KEY (token_hash),
  CONSTRAINT sign_on_flows_session_id_fkey FOREIGN KEY (session_id) REFERENCES private.sessions(id) ON DELETE CASCADE,
  CONSTRAINT sign_on_flows_stage_check CHECK ((stage = ANY (ARRAY['started'::text, 'returned'::text, 'unproven'::text, 'used'::text])))
);
CREATE INDEX sign_on_flows_by_expiry ON private.sign_on_flows USING btree (expires_at);
CREATE INDEX sign_on_flows_of_session ON private.sign_on_flows USING btree (session_id) WHERE (session_id IS NOT NULL);

CREATE TABLE private.signing_keys (
  kid text NOT NULL,
  sealed text NOT NULL,
  signs_from timestamp with time zone NOT NULL,
  verifies_until timestamp with time zone,
  CONSTRAINT signing_keys_pkey PRIMARY KEY (kid)
);

CREATE UNLOGGED TABLE private.socket_counts (
  key text NOT NULL,
  host uuid NOT NULL,
  count integer NOT NULL,
  CONSTRAINT socket_counts_pkey PRIMARY KEY (key, host),
  CONSTRAINT socket_counts_count_check CHECK ((count > 0))
);
CREATE INDEX socket_counts_host ON private.socket_counts USING btree (host);

CREATE UNLOGGED TABLE private.socket_hosts (
  host uuid NOT NULL,
  renewals bigint NOT NULL,
  CONSTRAINT socket_hosts_pkey PRIMARY KEY (host)
);

CREATE TABLE private.suspended_addresses (
  address_hash bytea NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT suspended_addresses_pkey PRIMARY KEY (address_hash)
);
CREATE INDEX suspended_addresses_by_end ON private.suspended_addresses USING btree (until);

CREATE UNLOGGED TABLE private.uploads_under_way (
  user_id uuid NOT NULL,
  place smallint NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT uploads_under_way_pkey PRIMARY KEY (user_id, place),
  CONSTRAINT uploads_under_way_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE private.vapid_keys (
  public_key text NOT NULL,
  sealed text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT vapid_keys_pkey PRIMARY KEY (public_key)
);

CREATE TABLE reviews (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  deal_id uuid,
  author_party text NOT NULL,
  author_id uuid,
  author_key uuid NOT NULL,
  subject_id uuid NOT NULL,
  rating integer NOT NULL,
  tags text[] NOT NULL,
  review_text text NOT NULL,
  public_at timestamp with time zone NOT NULL,
  is_counted boolean DEFAULT false NOT NULL,
  removed_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT reviews_once UNIQUE (deal_id, author_party),
  CONSTRAINT reviews_pkey PRIMARY KEY (id),
  CONSTRAINT reviews_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  CONSTRAINT reviews_deal_id_fkey FOREIGN KEY (deal_id) REFERENCES deals(id) ON DELETE SET NULL,
  CONSTRAINT reviews_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT reviews_author_party_check CHECK ((author_party = ANY (ARRAY['buyer'::text, 'seller'::text]))),
  CONSTRAINT reviews_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
  CONSTRAINT reviews_review_text_check CHECK ((char_length(review_text) <= 500))
);
CREATE INDEX reviews_about ON public.reviews USING btree (subject_id, public_at DESC, id DESC);
CREATE INDEX reviews_of_author ON public.reviews USING btree (author_id);
CREATE INDEX reviews_to_count ON public.reviews USING btree (public_at) WHERE (NOT is_counted);

CREATE TABLE sale_price_ranges (
  key text NOT NULL,
  low numeric(8,2) NOT NULL,
  high numeric(8,2) NOT NULL,
  deals_until timestamp with time zone NOT NULL,
  is_shown boolean NOT NULL,
  CONSTRAINT sale_price_ranges_pkey PRIMARY KEY (key),
  CONSTRAINT sale_price_ranges_check CHECK ((high > low))
);

CREATE TABLE saved_listing_changes (
  listing_id uuid NOT NULL,
  change text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  CONSTRAINT saved_listing_changes_pkey PRIMARY KEY (listing_id, change),
  CONSTRAINT saved_listing_changes_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE,
  CONSTRAINT saved_listing_changes_change_check CHECK ((change = ANY (ARRAY['price'::text, 'hold_ended'::text, 'sold'::text])))
);
CREATE INDEX saved_listing_changes_by_time ON public.saved_listing_changes USING btree (due_at);

CREATE TABLE saved_listings (
  user_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  title text NOT NULL,
  price numeric NOT NULL,
  rental_period text NOT NULL,
  saved_at timestamp with time zone NOT NULL,
  CONSTRAINT saved_listings_pkey PRIMARY KEY (user_id, listing_id),
  CONSTRAINT saved_listings_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE,
  CONSTRAINT saved_listings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX saved_listings_by_time ON public.saved_listings USING btree (user_id, saved_at DESC, listing_id DESC);
CREATE INDEX saves_of_listing ON public.saved_listings USING btree (listing_id);

CREATE TABLE saved_search_matches (
  search_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  matched_at timestamp with time zone NOT NULL,
  announce_at timestamp with time zone,
  CONSTRAINT saved_search_matches_pkey PRIMARY KEY (search_id, listing_id)
);
CREATE INDEX saved_search_matches_to_announce ON public.saved_search_matches USING btree (announce_at, search_id) WHERE (announce_at IS NOT NULL);

CREATE TABLE saved_searches (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  query jsonb NOT NULL,
  alert text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  lowered_text text,
  text_key text,
  location_pattern text,
  category text GENERATED ALWAYS AS ((query ->> 'category'::text)),
  min_price numeric GENERATED ALWAYS AS (((query ->> 'min_price'::text))::numeric),
  max_price numeric GENERATED ALWAYS AS (((query ->> 'max_price'::text))::numeric),
  condition text GENERATED ALWAYS AS ((query ->> 'condition'::text)),
  game_date text GENERATED ALWAYS AS ((query ->> 'game_date'::text)),
  size text GENERATED ALWAYS AS ((query ->> 'size'::text)),
  kind text GENERATED ALWAYS AS ((query ->> 'kind'::text)),
  seller uuid GENERATED ALWAYS AS (((query ->> 'seller'::text))::uuid),
  is_verified boolean GENERATED ALWAYS AS ((query ? 'verified'::text)),
  is_available boolean GENERATED ALWAYS AS ((query ? 'available'::text)),
  visited_at timestamp with time zone NOT NULL,
  announced_at timestamp with time zone,
  deleted_at timestamp with time zone,
  searched_isbn text,
  CONSTRAINT saved_searches_pkey PRIMARY KEY (id),
  CONSTRAINT saved_searches_seller_fkey FOREIGN KEY (seller) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT saved_searches_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT saved_searches_alert_check CHECK ((alert = ANY (ARRAY['instant'::text, 'daily'::text, 'off'::text]))),
  CONSTRAINT saved_searches_check CHECK (((query ? 'q'::text) = (lowered_text IS NOT NULL))),
  CONSTRAINT saved_searches_check1 CHECK (((query ? 'q'::text) = (text_key IS NOT NULL))),
  CONSTRAINT saved_searches_check2 CHECK (((query ? 'location'::text) = (location_pattern IS NOT NULL))),
  CONSTRAINT saved_searches_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80)))
);
CREATE INDEX saved_searches_by_category ON public.saved_searches USING btree (category, max_price, min_price) WHERE (text_key IS NULL);
CREATE INDEX saved_searches_by_seller ON public.saved_searches USING btree (seller) WHERE (seller IS NOT NULL);
CREATE INDEX saved_searches_by_text ON public.saved_searches USING btree (text_key) WHERE (text_key IS NOT NULL);
CREATE INDEX saved_searches_deleted ON public.saved_searches USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX saved_searches_of_user ON public.saved_searches USING btree (user_id, created_at DESC, id DESC);
CREATE TRIGGER saved_searches_remove_matches AFTER DELETE ON public.saved_searches REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION remove_matches_of_deleted_searches();

CREATE TABLE schema_migrations (
  id integer DEFAULT nextval('schema_migrations_id_seq'::regclass) NOT NULL,
  name character varying(255) NOT NULL,
  run_on timestamp without time zone NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (id)
);

CREATE TABLE users (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  email text NOT NULL,
  full_name text,
  role text,
  bio text,
  avatar_url text,
  usc_verified boolean DEFAULT false NOT NULL,
  show_full_name boolean DEFAULT true NOT NULL,
  email_messages boolean DEFAULT true NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  display_name text GENERATED ALWAYS AS (COALESCE(
CASE
    WHEN show_full_name THEN full_name
    ELSE NULL::text
END, NULLIF(split_part(email, '@'::text, 1), ''::text), 'User'::text)) NOT NULL,
  is_bio_public boolean DEFAULT false NOT NULL,
  rating numeric(3,2),
  review_count integer DEFAULT 0 NOT NULL,
  away_until date,
  show_seen boolean DEFAULT true NOT NULL,
  show_typing boolean DEFAULT true NOT NULL,
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_bio_length CHECK ((char_length(bio) <= 500)),
  CONSTRAINT users_email_canonical CHECK (((email = lower(btrim(email))) AND (char_length(email) <= 254))),
  CONSTRAINT users_full_name_length CHECK (((char_length(full_name) >= 1) AND (char_length(full_name) <= 100))),
  CONSTRAINT users_role_known CHECK ((role = ANY (ARRAY['Student'::text, 'Alumni'::text, 'Staff'::text])))
);
CREATE INDEX users_by_folded_text ON public.users USING gin (translate(private.fold(((email || '
'::text) || COALESCE(full_name, ''::text))), ' ''-'::text, ''::text) gin_trgm_ops);
CREATE INDEX users_by_mailbox ON public.users USING btree (private.mailbox_key(email));
CREATE INDEX users_by_text ON public.users USING gin (lower(((email || '
'::text) || COALESCE(full_name, ''::text))) gin_trgm_ops);
CREATE INDEX users_newest ON public.users USING btree (created_at DESC, id DESC);

CREATE TABLE wanted_alerts (
  listing_id uuid NOT NULL,
  user_id uuid NOT NULL,
  told_at timestamp with time zone NOT NULL,
  CONSTRAINT wanted_alerts_pkey PRIMARY KEY (listing_id, user_id),
  CONSTRAINT wanted_alerts_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(id) ON DELETE CASCADE,
  CONSTRAINT wanted_alerts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX wanted_alerts_of_user ON public.wanted_alerts USING btree (user_id);

CREATE TABLE wanted_posts (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  user_id uuid NOT NULL,
  client_id uuid NOT NULL,
  title text NOT NULL,
  category text NOT NULL,
  max_price numeric(8,2),
  words text[] NOT NULL,
  isbns text[] NOT NULL,
  text_key text NOT NULL,
  until date NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  closed_at timestamp with time zone,
  hidden_at timestamp with time zone,
  hidden_reason text,
  CONSTRAINT wanted_posts_user_id_client_id_key UNIQUE (user_id, client_id),
  CONSTRAINT wanted_posts_pkey PRIMARY KEY (id),
  CONSTRAINT wanted_posts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT wanted_posts_check CHECK ((cardinality(isbns) = cardinality(words))),
  CONSTRAINT wanted_posts_hidden_reason_check CHECK (((char_length(hidden_reason) >= 1) AND (char_length(hidden_reason) <= 500))),
  CONSTRAINT wanted_posts_max_price_check CHECK ((max_price >= (0)::numeric)),
  CONSTRAINT wanted_posts_title_check CHECK (((char_length(title) >= 3) AND (char_length(title) <= 80))),
  CONSTRAINT wanted_posts_words_check CHECK ((cardinality(words) > 0))
);
CREATE INDEX wanted_posts_by_end ON public.wanted_posts USING btree (until);
CREATE INDEX wanted_posts_by_text ON public.wanted_posts USING btree (category, text_key) WHERE ((closed_at IS NULL) AND (hidden_at IS NULL));
CREATE INDEX wanted_posts_by_time ON public.wanted_posts USING btree (created_at DESC, id DESC) WHERE ((closed_at IS NULL) AND (hidden_at IS NULL));

CREATE OR REPLACE FUNCTION private.add_search_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO private.search_words (word, stem)
  SELECT word, private.stem_of(word) FROM (
    SELECT DISTINCT unnest(private.words_of(coalesce(folded_text, search_text))) AS word FROM saved
    WHERE status = 'published'
  ) AS words ORDER BY word
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION private.collect_search_words()
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO private.search_words (word, stem)
  SELECT word, private.stem_of(word) FROM (
    SELECT DISTINCT unnest(private.words_of(coalesce(folded_text, search_text))) AS word FROM listings
    WHERE status = 'published'
  ) AS words ORDER BY word
  ON CONFLICT DO NOTHING
$function$;

CREATE OR REPLACE FUNCTION private.fold(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length($1) = length($1)) THEN lower($1) ELSE replace(replace(replace(replace(translate(lower(regexp_replace(NORMALIZE(translate($1, '´″־'::text, '''"-'::text), NFKD), '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe00-\ufe2f]'::text, ''::text, 'g'::text)), '‘’‚‛ʼ′“”„‟«»‐–—―−⁄øđðłıħŧς'::text, '''''''''''''""""""-----/oddlihtσ'::text), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'þ'::text, 'th'::text) END;

CREATE OR REPLACE FUNCTION private.fold_listing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.folded_text := private.listing_folded_text(NEW);
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION private.forget_message_texts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE conversations SET folded_seq = least(folded_seq, NEW.seq - 1) WHERE id = NEW.conversation_id;
  DELETE FROM message_texts WHERE conversation_id = NEW.conversation_id AND block >= (NEW.seq - 1) / 20;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION private.has_joint_variant(text, searched text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE((((' '::text || "") || ' '::text) ~ private.joint_pattern(searched)), false);

CREATE OR REPLACE FUNCTION private.has_kind(title text, description text, kind text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE STRICT COST 100000
AS $function$
BEGIN
  RETURN CASE WHEN title ~* '\m(tickets?|tailgat(e|es|ing|er)|canop(y|ies)|tents?|coolers?|grills?|cornhole|(folding|camp|camping|stadium)( [a-z]+)? chairs?|parking (pass|passes|permits?|spots?))\M'
    THEN title ELSE description END ~* CASE kind
    WHEN 'tickets' THEN '\m(tickets?)\M'
    WHEN 'tailgate-gear' THEN '\m(tailgat(e|es|ing|er)|canop(y|ies)|tents?|coolers?|grills?|cornhole|(folding|camp|camping|stadium)( [a-z]+)? chairs?)\M'
    WHEN 'parking-passes' THEN '\m(parking (pass|passes|permits?|spots?))\M'
  END;
END $function$;

CREATE OR REPLACE FUNCTION private.has_size(title text, description text, size text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE STRICT COST 100000
AS $function$
DECLARE
  words text := title || ' ' || description;
  -- A lone letter counts as a size in capitals, so that "women's" is not small.
  sizes text := CASE size
    WHEN 'small' THEN 'S|[Ss]mall|SMALL'
    WHEN 'medium' THEN 'M|[Mm]edium|MEDIUM'
    WHEN 'large' THEN 'L|[Ll]arge|LARGE'
    WHEN 'xl' THEN '([Xx]|[Ee]xtra|EXTRA)[ -]?(L|[Ll]arge|LARGE)|[Xx]l'
  END;
BEGIN
  -- "Extra" before a size makes it another one. Looking behind is slow, so it is left for texts that name the size at all.
  RETURN words ~ ('(^|[^[:alnum:]''’])(' || sizes || ')($|[^[:alnum:]])')
    AND (size = 'xl'
      OR words ~ ('(^|[^[:alnum:]''’])(?<!([Xx]|[Ee]xtra|EXTRA)[ -])(' || sizes || ')($|[^[:alnum:]])'));
END $function$;

CREATE OR REPLACE FUNCTION private.joint_pattern(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT (string_agg(((split.before || joint.joint) || split.after), '|'::text) FILTER (WHERE (joint.joint = ANY (ARRAY['-'::text, ''''::text]))) || COALESCE((('|[ \n("/](?:'::text || string_agg(((split.before || joint.joint) || split.after), '|'::text) FILTER (WHERE (joint.joint = ANY (ARRAY[' '::text, ''::text])))) || ')[ \n,.;:!?)"/]'::text), ''::text)) FROM (SELECT regexp_replace("left"($1, place.place), '([^[:alnum:]])'::text, '\\\1'::text, 'g'::text) AS before, regexp_replace(substr($1, ((place.place + 1) + length(found.present))), '([^[:alnum:]])'::text, '\\\1'::text, 'g'::text) AS after, found.present FROM generate_series(1, (length($1) - 1)) place(place), LATERAL (SELECT COALESCE("substring"(substr($1, (place.place + 1), 1), '[ ''-]'::text), ''::text) AS present) found) split, unnest(ARRAY[' '::text, '-'::text, ''''::text, ''::text]) joint(joint) WHERE ((joint.joint <> split.present) AND (NOT ((joint.joint = ' '::text) AND (split.before ~ '(^|[ \n]).$'::text) AND (split.after ~ '^.(\\?[ \n]|$)'::text))) AND (split.before ~ '[[:alnum:]]$'::text) AND (split.after ~ '^[[:alnum:]]'::text) AND (length($1) <= 30) AND (length(regexp_replace($1, '[^[:alnum:]]'::text, ''::text, 'g'::text)) >= 3)));

CREATE OR REPLACE FUNCTION private.keep_listing_title()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM FROM conversations WHERE listing_id = OLD.id ORDER BY id FOR NO KEY UPDATE;
  UPDATE conversations SET listing_title = OLD.title WHERE listing_id = OLD.id;
  RETURN coalesce(NEW, OLD);
END $function$;

CREATE OR REPLACE FUNCTION private.letter_pairs(text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE STRICT COST 1e+06
RETURN ((string_to_array(translate($1, ' 
.,abcdefghiklmnoprstuvwy'::text, ''::text), NULL::text) || string_to_array(regexp_replace($1, '..'::text, '\&'::text, 'g'::text), ''::text)) || string_to_array(regexp_replace(substr($1, 2), '..'::text, '\&'::text, 'g'::text), ''::text));

CREATE OR REPLACE FUNCTION private.listing_folded_text(l listings)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT nullif(private.fold(concat_ws(E'\n', texts.search_text, nullif(concat_ws(E'\n', l.isbn, l.authors, l.edition, l.course,
    l.event_name, l.section, l.seat_row, l.seats, l.ticket_transfer), ''))), texts.search_text)
  FROM (SELECT private.listing_search_text(l) AS search_text) AS texts
$function$;

CREATE OR REPLACE FUNCTION private.listing_search_text(l listings)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  -- Like the generated column `search_text`, which a trigger before the change cannot read yet.
  SELECT lower(concat(l.title, E'\n', l.description, E'\n', l.location, E'\n', l.category, E'\n',
    CASE l.category WHEN 'game-day' THEN 'Game Day' WHEN 'merchandise' THEN 'Merch' WHEN 'study-items' THEN 'Study Items' END))
$function$;

CREATE OR REPLACE FUNCTION private.mailbox_key(email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((replace(split_part(split_part(email, '@'::text, 1), '+'::text, 1), '.'::text, ''::text) || '@'::text) || split_part(email, '@'::text, 2));

CREATE OR REPLACE FUNCTION private.offers_tickets(category text, title text, description text, section text, seat_row text, seats text, ticket_count smallint, ticket_sale text, face_value numeric)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE COST 100000
AS $function$
DECLARE
  -- A parking ticket is no ticket to a game.
  named boolean := title ~* '(?<!\m(parking|tailgate) )\m(tickets?|tix)\M';
BEGIN
  IF category = 'game-day' AND (named OR num_nonnulls(ticket_count, ticket_sale, face_value) > 0
    -- Parking spaces and tailgates have a section, a row or a number, too.
    OR (num_nonnulls(section, seat_row, seats) > 0
      AND (title ~* '\mseats?\M' OR title !~* '\m(parking|tailgates?|tailgating)\M')))
  THEN RETURN true;
  END IF;
  RETURN private.has_kind(title, description, 'tickets') AND (named OR title !~* '\mtickets?\M');
END $function$;

CREATE OR REPLACE FUNCTION private.search_grams(text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE STRICT COST 1e+06
RETURN (private.letter_pairs($1) || ARRAY(SELECT (("right"(meeting.word, 2) || ' '::text) || "left"(meeting.next, 2)) FROM UNNEST(string_to_array($1, ' '::text), (string_to_array($1, ' '::text))[2:]) meeting(word, next) WHERE (meeting.next IS NOT NULL)));

CREATE OR REPLACE FUNCTION private.stem_of(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE STRICT
RETURN COALESCE((ts_lexize('english_stem'::regdictionary, $1))[1], $1);

CREATE OR REPLACE FUNCTION private.word_endings(text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE STRICT COST 1e+06
RETURN array_to_tsvector(ARRAY(SELECT substr(word.word, start.start, 24) AS substr FROM string_to_table(translate($1, '
'::text, ' '::text), ' '::text) word(word), LATERAL generate_series(1, length(word.word)) start(start)));

CREATE OR REPLACE FUNCTION private.word_meetings(text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE STRICT COST 1e+06
RETURN ARRAY(SELECT unnest(ARRAY[(("right"(meeting.word, 2) || ' '::text) || "left"(meeting.next, 2)), (("right"(meeting.word, 1) || ' '::text) || "left"(meeting.next, 1)), ("right"(meeting.word, 1) || ' '::text), (' '::text || "left"(meeting.next, 1))]) AS unnest FROM (SELECT string_to_array(translate($1, '
'::text, ' '::text), ' '::text) AS words) split, LATERAL UNNEST(split.words, split.words[2:]) meeting(word, next) WHERE (meeting.next IS NOT NULL));

CREATE OR REPLACE FUNCTION private.words_of(text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE STRICT
RETURN ARRAY(SELECT DISTINCT word.word FROM regexp_split_to_table($1, '[[:space:][:punct:]]+'::text) word(word) WHERE (((length(word.word) >= 3) AND (length(word.word) <= 24)) AND (word.word ~ '[^0-9]'::text)));

CREATE OR REPLACE FUNCTION public.remove_matches_of_deleted_searches()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM saved_search_matches m USING deleted d WHERE m.search_id = d.id;
  RETURN NULL;
END $function$;

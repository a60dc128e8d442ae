// Generated from the schema after all migrations; renew it with: npm test -- server/platform/postgres/schema.test.ts -u

/** The columns of our tables as the driver returns them. A column whose CHECK constraint lists its values has these. */
export interface Tables {
  announcement: {
    is_only: boolean;
    text: string;
    begins_at: Date;
    ends_at: Date;
  };
  auth_passwords: {
    password_hash: Buffer;
    user_id: string;
    method: string;
    expires_at: Date;
    authenticated_at: Date | null;
  };
  away_periods: {
    user_id: string;
    began_at: Date;
    ends_at: Date;
  };
  blocks: {
    user_id: string;
    blocked_id: string;
    created_at: Date;
  };
  book_imports: {
    file_hash: string;
    position: number;
    progress: unknown;
  };
  books: {
    isbn: string;
    title: string;
    authors: string | null;
    edition: string | null;
    published_year: number | null;
  };
  campus_addresses: {
    user_id: string;
    email: string;
    requested_at: Date;
    verified_at: Date | null;
  };
  campus_currency: {
    is_only: boolean;
    currency: string;
  };
  checked_texts: {
    table_name: string;
    checked_to: string | null;
  };
  codes: {
    email: string;
    code_hash: Buffer | null;
    purpose: 'signup' | 'otp';
    attempts: number;
    sent_at: Date;
    expires_at: Date;
    day_started: Date;
    day_attempts: number;
    day_codes: number;
  };
  conversations: {
    id: string;
    listing_id: string | null;
    listing_title: string;
    buyer_id: string | null;
    seller_id: string | null;
    last_seq: number;
    buyer_read_seq: number;
    seller_read_seq: number;
    seller_told_at: Date | null;
    created_at: Date;
    updated_at: Date;
    buyer_seen_at: Date | null;
    seller_seen_at: Date | null;
    buyer_waiting_since: Date | null;
    seller_waiting_since: Date | null;
    buyer_waiting_from: number | null;
    seller_waiting_from: number | null;
    buyer_acted_seq: number;
    seller_acted_seq: number;
    buyer_archived_seq: number | null;
    seller_archived_seq: number | null;
    buyer_muted_until: Date | null;
    seller_muted_until: Date | null;
    buyer_marked_unread: boolean;
    seller_marked_unread: boolean;
    is_started_by_seller: boolean;
    folded_seq: number;
  };
  course_books: {
    course: string;
    isbn: string;
  };
  courses: {
    code: string;
    title: string;
    term: string | null;
  };
  credentials: {
    user_id: string;
    password_hash: string | null;
    confirmed_at: Date | null;
    updated_at: Date;
    suspended_at: Date | null;
    signup_device: Buffer | null;
    badge_removed_at: Date | null;
    console_role: 'moderator' | 'administrator' | null;
    suspended_until: Date | null;
    suspended_by: string | null;
    availability_asked_at: Date | null;
  };
  deals: {
    id: string;
    listing_id: string | null;
    conversation_id: string;
    buyer_id: string | null;
    seller_id: string | null;
    kind: 'sale' | 'gift' | 'rental';
    state:
      | 'offered'
      | 'held'
      | 'handed_over'
      | 'out'
      | 'back'
      | 'completed'
      | 'no_show'
      | 'declined'
      | 'withdrawn'
      | 'expired'
      | 'lapsed'
      | 'cancelled'
      | 'closed';
    turn: 'buyer' | 'seller' | null;
    title: string;
    price: number | null;
    first_day: string | null;
    last_day: string | null;
    number: number;
    offer_count: number;
    deadline_at: Date | null;
    is_waiting: boolean;
    draw_rank: number | null;
    hold_hours: 24 | 48;
    spot_id: string | null;
    place: string | null;
    proposed_times: Date[];
    handover_proposed_by: 'buyer' | 'seller' | null;
    handover_at: Date | null;
    handover_agreed_at: Date | null;
    agreed_spot_id: string | null;
    agreed_place: string | null;
    calendar_sequence: number;
    is_running_late: boolean;
    has_agreed_in_chat: boolean;
    has_kept_hold: boolean;
    has_objected: boolean;
    requested_last_day: string | null;
    cancelled_by: 'buyer' | 'seller' | null;
    is_late: boolean;
    reported: 'buyer' | 'seller' | null;
    is_contested: boolean;
    created_at: Date;
    changed_at: Date;
    completed_at: Date | null;
    next_notice_at: Date | null;
    is_buyer_here: boolean;
    is_seller_here: boolean;
    is_buyer_late: boolean;
    is_seller_late: boolean;
    buyer_late_at: Date | null;
    seller_late_at: Date | null;
    ticket_price_cap: number | null;
    pickup_time: string | null;
    return_time: string | null;
    deposit: number | null;
    requested_extra_price: number | null;
    extra_price: number | null;
  };
  due_pushes: {
    user_id: string;
    source: string;
    subject_id: string;
    kind: string;
    detail: string;
    due_at: Date;
  };
  factor_challenges: {
    id: string;
    session_id: string;
    factor_id: string;
    created_at: Date;
  };
  first_availability_check: {
    is_only: boolean;
    check_days: number;
    started_at: Date;
  };
  form_answers: {
    id: string;
    form_id: string;
    author_id: string | null;
    answer_text: string;
    created_at: Date;
    author_name: string | null;
  };
  forms: {
    id: string;
    kind: 'report' | 'contact' | 'application' | 'deletion-request';
    user_id: string | null;
    email: string | null;
    content: unknown;
    created_at: Date;
    done_at: Date | null;
    done_by: string | null;
  };
  games: {
    day: string;
    name: string;
  };
  identities: {
    id: string;
    user_id: string;
    issuer: string;
    subject: string;
    email: string | null;
    role: 'Student' | 'Alumni' | 'Staff' | null;
    created_at: Date;
    last_used_at: Date;
  };
  known_devices: {
    id: number;
    device_hash: Buffer;
    user_id: string;
    first_used_at: Date;
    last_used_at: Date;
    day_started: Date;
    day_failures: number;
    day_requests: number;
  };
  listing_prices: {
    id: number;
    listing_id: string;
    price: number;
    rental_period: string | null;
    until: Date;
  };
  listings: {
    id: string;
    slug: string;
    user_id: string;
    title: string | null;
    description: string | null;
    price: number | null;
    photos: string[];
    category:
      | 'game-day'
      | 'merchandise'
      | 'furniture'
      | 'rentals'
      | 'textbooks'
      | 'electronics'
      | 'clothing'
      | 'study-items'
      | 'kitchen'
      | 'trojan-merch'
      | 'free'
      | null;
    condition: 'new' | 'like-new' | 'good' | 'fair' | null;
    location: string | null;
    status: 'published' | 'draft' | 'sold' | 'in_review';
    game_date: string | null;
    contact_email: string | null;
    contact_phone: string | null;
    created_at: Date;
    updated_at: Date;
    published_at: Date | null;
    search_text: string | null;
    hidden_at: Date | null;
    hidden_with: 'listing' | 'account' | null;
    hidden_reason: string | null;
    client_id: string | null;
    deleted_at: Date | null;
    status_before_deletion: 'published' | 'draft' | 'sold' | 'in_review' | null;
    hold_hours: 24 | 48;
    is_price_firm: boolean;
    rental_period: 'day' | 'week' | 'month' | 'flexible';
    gift_mode: 'first_come' | 'draw';
    draw_hours: number;
    draw_closes_at: Date | null;
    drawn_at: Date | null;
    is_on_hold: boolean;
    sold_at: Date | null;
    rented_until: string | null;
    sold_to: string | null;
    sale_confirmed_at: Date | null;
    held_at: Date | null;
    wording_approved_at: Date | null;
    requested_changes: string | null;
    folded_text: string | null;
    ended_at: Date | null;
    paused_at: Date | null;
    away_until: string | null;
    confirmed_at: Date | null;
    asked_at: Date | null;
    copied_from: string | null;
    isbn: string | null;
    authors: string | null;
    edition: string | null;
    published_year: number | null;
    course: string | null;
    size: string | null;
    event_name: string | null;
    section: string | null;
    seat_row: string | null;
    seats: string | null;
    ticket_count: number | null;
    ticket_sale: string | null;
    face_value: number | null;
    ticket_transfer: string | null;
    day_price: number | null;
    week_price: number | null;
    month_price: number | null;
    min_rental_days: number | null;
    max_rental_days: number | null;
    handout_days: string | null;
    deposit: number | null;
  };
  listings_to_match: {
    listing_id: string;
    before: unknown;
    due_at: Date;
  };
  mailbox: {
    id: number;
    recipient: string;
    subject: string;
    text_body: string;
    html_body: string;
    created_at: Date;
    attachments: unknown;
  };
  meeting_spots: {
    id: string;
    name: string;
    landmark: string | null;
    is_indoors: boolean | null;
    is_lit: boolean | null;
    has_camera_or_phone: boolean | null;
    opening_hours: string | null;
    confirmed_at: Date | null;
    removed_at: Date | null;
  };
  memberships: {
    user_id: string;
    confirmed_at: Date | null;
    confirmed_with: 'address' | 'email_link' | 'sign_on' | 'administrator' | null;
    due_on: string | null;
    questions: number;
    ends_on: string | null;
    notices: number;
    ended_at: Date | null;
    is_denied: boolean;
    had_badge: boolean | null;
    link_mailed_at: Date | null;
  };
  message_texts: {
    conversation_id: string;
    block: number;
    to_seq: number;
    folded_text: string;
  };
  messages: {
    conversation_id: string;
    seq: number;
    id: string;
    sender_id: string | null;
    client_id: string;
    message_text: string;
    created_at: Date;
    kind: 'text' | 'deal' | 'system';
    data: unknown;
    photos: string[] | null;
    unsent_number: number | null;
    reply_to_seq: number | null;
  };
  moderation_actions: {
    id: string;
    case_id: string;
    action: 'dismiss' | 'warn' | 'unpublish' | 'request_changes' | 'suspend' | 'restore';
    reason: string;
    days: number | null;
    template: string | null;
    actor_id: string | null;
    actor_name: string | null;
    chosen_at: Date;
    takes_effect_at: Date;
    applied_at: Date | null;
    undone_at: Date | null;
    restored_at: Date | null;
    appeal_hash: Buffer | null;
    failure: string | null;
    listing_version: string | null;
    listing_status: string | null;
    actor_role: 'moderator' | 'administrator' | null;
  };
  moderation_appeals: {
    action_id: string;
    person_id: string | null;
    appeal_text: string;
    created_at: Date;
    decided_at: Date | null;
    is_granted: boolean | null;
  };
  moderation_cases: {
    id: string;
    subject: 'listing' | 'user' | 'message' | 'wanted';
    subject_id: string | null;
    person_id: string | null;
    title: string;
    risk: number;
    report_count: number;
    opened_at: Date;
    updated_at: Date;
    resolved_at: Date | null;
    assigned_to: string | null;
    assigned_until: Date | null;
    reopened_at: Date | null;
  };
  moderation_quotes: {
    id: string;
    case_id: string;
    content: unknown;
    photo_count: number;
    quoted_at: Date;
  };
  moderation_reports: {
    id: string;
    case_id: string;
    quote_id: string;
    reporter_id: string | null;
    reason: 'prohibited' | 'scam' | 'spam' | 'harassment' | 'impersonation' | 'other';
    report_text: string;
    created_at: Date;
  };
  moderation_signals: {
    case_id: string;
    kind: 'similar_messages' | 'many_reports' | 'no_shows' | 'prohibited_wording' | 'same_seat';
    quote_id: string;
    detail: string;
    count: number;
    raised_at: Date;
  };
  notification_settings: {
    user_id: string;
    channels_off: string[];
    quiet_from: number;
    quiet_until: number;
    digest_hour: number;
    digest_content: 'full' | 'brief';
    push_content: 'full' | 'hidden';
  };
  notifications: {
    id: string;
    user_id: string;
    kind: string;
    event: string;
    subject_id: string;
    facts: unknown;
    count: number;
    job_id: string;
    created_at: Date;
    read_at: Date | null;
    email_due_at: Date | null;
    emailed_count: number;
  };
  objects: {
    bucket: 'listing-photos' | 'avatars' | 'message-photos';
    path: string;
    url: string;
    owner_id: string;
    width: number;
    height: number;
    thumbhash: string;
    bytes: number;
    created_at: Date;
    message_id: string | null;
    deal_id: string | null;
    deal_step: 'pick_up' | 'return' | null;
  };
  passkey_challenges: {
    id: string;
    challenge: Buffer;
    session_id: string | null;
    expires_at: Date;
  };
  passkeys: {
    id: string;
    user_id: string;
    credential_id: Buffer;
    public_key: Buffer;
    counter: number;
    transports: string[];
    name: string;
    created_at: Date;
    last_used_at: Date | null;
  };
  pending_listing_changes: {
    deal_id: string;
    listing_id: string;
    before: unknown;
  };
  push_subscriptions: {
    id: string;
    user_id: string;
    session_id: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    device_name: string;
    created_at: Date;
    used_at: Date | null;
  };
  rate_limits: {
    key: string;
    points: number;
    expire: number | null;
  };
  recovery_codes: {
    factor_id: string;
    code_hash: Buffer;
  };
  refresh_tokens: {
    token_hash: Buffer;
    session_id: string;
    successor_salt: Buffer;
    created_at: Date;
    replaced_at: Date | null;
  };
  replication_heartbeats: {
    writer: string;
    beat: number;
    written_at: Date;
  };
  reset_tokens: {
    user_id: string;
    token_hash: Buffer;
    expires_at: Date;
  };
  reviews: {
    id: string;
    deal_id: string | null;
    author_party: 'buyer' | 'seller';
    author_id: string | null;
    author_key: string;
    subject_id: string;
    rating: number;
    tags: string[];
    review_text: string;
    public_at: Date;
    is_counted: boolean;
    removed_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  sale_price_ranges: {
    key: string;
    low: number;
    high: number;
    deals_until: Date;
    is_shown: boolean;
  };
  saved_listing_changes: {
    listing_id: string;
    change: 'price' | 'hold_ended' | 'sold';
    due_at: Date;
  };
  saved_listings: {
    user_id: string;
    listing_id: string;
    title: string;
    price: number;
    rental_period: string;
    saved_at: Date;
  };
  saved_search_matches: {
    search_id: string;
    listing_id: string;
    matched_at: Date;
    announce_at: Date | null;
  };
  saved_searches: {
    id: string;
    user_id: string;
    name: string;
    query: unknown;
    alert: 'instant' | 'daily' | 'off';
    created_at: Date;
    lowered_text: string | null;
    text_key: string | null;
    location_pattern: string | null;
    category: string | null;
    min_price: number | null;
    max_price: number | null;
    condition: string | null;
    game_date: string | null;
    size: string | null;
    kind: string | null;
    seller: string | null;
    is_verified: boolean | null;
    is_available: boolean | null;
    visited_at: Date;
    announced_at: Date | null;
    deleted_at: Date | null;
    searched_isbn: string | null;
  };
  schema_migrations: {
    id: number;
    name: string;
    run_on: Date;
  };
  search_words: {
    word: string;
    stem: string;
  };
  second_factors: {
    id: string;
    user_id: string;
    kind: 'totp' | 'recovery_code';
    name: string | null;
    sealed_secret: string | null;
    created_at: Date;
    verified_at: Date | null;
    updated_at: Date;
    last_used_step: number | null;
    wrong_codes: number;
    last_wrong_at: Date | null;
  };
  security_events: {
    id: number;
    at: Date;
    event: string;
    user_id: string | null;
    client: string | null;
    request_id: string | null;
    detail: string | null;
    actor: string | null;
    reason: string | null;
  };
  sessions: {
    id: string;
    user_id: string;
    method: string;
    created_at: Date;
    last_used_at: Date;
    second_factor_at: Date | null;
    second_factor_method: string | null;
    reauthenticated_at: Date | null;
    device_name: string | null;
  };
  sign_on_flows: {
    token_hash: Buffer;
    stage: 'started' | 'returned' | 'unproven' | 'used';
    browser_hash: Buffer | null;
    code_challenge: string | null;
    redirect_to: string | null;
    session_id: string | null;
    identity: unknown;
    expires_at: Date;
  };
  signing_keys: {
    kid: string;
    sealed: string;
    signs_from: Date;
    verifies_until: Date | null;
  };
  socket_counts: {
    key: string;
    host: string;
    count: number;
  };
  socket_hosts: {
    host: string;
    renewals: number;
  };
  suspended_addresses: {
    address_hash: Buffer;
    until: Date;
  };
  uploads_under_way: {
    user_id: string;
    place: number;
    until: Date;
  };
  users: {
    id: string;
    email: string;
    full_name: string | null;
    role: 'Student' | 'Alumni' | 'Staff' | null;
    bio: string | null;
    avatar_url: string | null;
    usc_verified: boolean;
    show_full_name: boolean;
    email_messages: boolean;
    created_at: Date;
    updated_at: Date;
    display_name: string;
    is_bio_public: boolean;
    rating: number | null;
    review_count: number;
    away_until: string | null;
    show_seen: boolean;
    show_typing: boolean;
  };
  vapid_keys: {
    public_key: string;
    sealed: string;
    created_at: Date;
  };
  wanted_alerts: {
    listing_id: string;
    user_id: string;
    told_at: Date;
  };
  wanted_posts: {
    id: string;
    user_id: string;
    client_id: string;
    title: string;
    category: string;
    max_price: number | null;
    words: string[];
    isbns: string[];
    text_key: string;
    until: string;
    created_at: Date;
    updated_at: Date;
    closed_at: Date | null;
    hidden_at: Date | null;
    hidden_reason: string | null;
  };
}

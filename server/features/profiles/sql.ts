/**
 * The columns of private.campus_addresses that are joined to a profile; all are null when the
 * person has added no campus email address.
 */
export interface CampusAddressColumns {
  campus_email: string | null;
  campus_email_requested_at: Date | null;
  campus_email_verified_at: Date | null;
}

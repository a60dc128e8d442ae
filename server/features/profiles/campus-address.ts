import type { OwnProfile } from '#contract/profiles.ts';
import type { CampusAddressColumns } from './sql.ts';

/** Returns the added campus address as its owner sees it, or null when there is none. */
export const presentCampusAddress = ({
  campus_email: email,
  campus_email_requested_at: requestedAt,
  campus_email_verified_at: verifiedAt,
}: CampusAddressColumns): OwnProfile['campus_address'] =>
  email === null || requestedAt === null
    ? null
    : {
        email,
        requested_at: requestedAt.toISOString(),
        verified_at: verifiedAt?.toISOString() ?? null,
      };

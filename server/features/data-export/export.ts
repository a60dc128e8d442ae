import type { PersonalDataExport } from '#contract/data-export.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { exportNotificationSettings } from '#server/features/notifications/public.ts';
import { presentCampusAddress } from '#server/features/profiles/public.ts';
import { type Streamable, writeJson } from '#server/platform/json/json-writer.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { type ListExportOptions, openExportedLists } from './lists.ts';
import * as repository from './repository.ts';

/** Throws when the session has ended. Called before each query. */
type AssertSessionActive = () => Promise<void>;

type ExportedData = {
  [Part in keyof PersonalDataExport]: Streamable<PersonalDataExport[Part]>;
};

const presentProfile = (
  person: repository.PersonRow,
  absoluteUrl: ListExportOptions['absoluteUrl'],
): PersonalDataExport['profile'] => ({
  id: person.id,
  email: person.email,
  full_name: person.full_name,
  role: person.role,
  bio: person.bio,
  is_bio_public: person.is_bio_public,
  avatar_url: person.avatar_url && absoluteUrl(person.avatar_url),
  usc_verified: person.usc_verified,
  console_role: person.console_role,
  campus_address: presentCampusAddress(person),
  created_at: person.created_at.toISOString(),
  updated_at: person.updated_at.toISOString(),
});

const readAccess = async (
  sql: Sql,
  userId: string,
): Promise<
  Pick<
    PersonalDataExport,
    'sessions' | 'passkeys' | 'identities' | 'second_factors' | 'devices' | 'push_devices'
  >
> => {
  const sessions = await repository.listSessions(sql, userId);
  const passkeys = await repository.listPasskeys(sql, userId);
  const identities = await repository.listIdentities(sql, userId);
  const secondFactors = await repository.listSecondFactors(sql, userId);
  const devices = await repository.listDevices(sql, userId);
  const pushDevices = await repository.listPushDevices(sql, userId);
  return {
    sessions: sessions.map((session) => ({
      method: session.method,
      began_at: session.created_at.toISOString(),
      last_used_at: session.last_used_at.toISOString(),
      second_factor_at: session.second_factor_at?.toISOString() ?? null,
      second_factor_method: session.second_factor_method,
      reauthenticated_at: session.reauthenticated_at?.toISOString() ?? null,
      device_name: session.device_name,
    })),
    passkeys: passkeys.map(({ name, created_at, last_used_at }) => ({
      name,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    })),
    identities: identities.map(({ created_at, last_used_at, ...identity }) => ({
      ...identity,
      connected_at: created_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
    })),
    second_factors: secondFactors.map(({ kind, name, created_at, verified_at, updated_at }) => ({
      kind,
      name,
      created_at: created_at.toISOString(),
      verified_at: verified_at?.toISOString() ?? null,
      updated_at: updated_at.toISOString(),
    })),
    devices: devices.map(({ first_used_at, last_used_at }) => ({
      first_used_at: first_used_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
    })),
    push_devices: pushDevices.map(({ endpoint, device_name, created_at, used_at }) => ({
      endpoint,
      device_name,
      created_at: created_at.toISOString(),
      last_used_at: used_at?.toISOString() ?? null,
    })),
  };
};

/**
 * Starts the export of everything stored about a person, and returns the chunks of its JSON without holding all of it
 * in memory. Without `assertSession`, the person cannot log in, so links to photos that need a session are left out. Throws
 * not_authenticated when the account no longer exists.
 */
export const exportPersonalData = async (
  app: App,
  userId: string,
  assertSession?: AssertSessionActive,
): Promise<AsyncGenerator<string>> => {
  const { sql, clock } = app;
  const { publicUrl, campus } = app.config;
  const absoluteUrl = (path: string): string => `${publicUrl}${path}`;
  const person = await repository.findPerson(sql, userId);
  if (!person) throw createProblem('not_authenticated');
  const membership = await repository.findMembership(sql, userId);
  const access = await readAccess(sql, userId);
  const data: ExportedData = {
    exported_at: clock.now().toISOString(),
    site: publicUrl,
    currency: campus.currency,
    timezone: campus.timezone,
    profile: presentProfile(person, absoluteUrl),
    settings: {
      email_messages: person.email_messages,
      show_full_name: person.show_full_name,
      show_seen: person.show_seen,
      show_typing: person.show_typing,
      away_until: person.away_until,
      notifications: await exportNotificationSettings(app, userId),
    },
    account: {
      confirmed_at: person.confirmed_at?.toISOString() ?? null,
      credentials_changed_at: person.credentials_changed_at.toISOString(),
      suspended_at: person.suspended_at?.toISOString() ?? null,
      suspended_until: person.suspended_until?.toISOString() ?? null,
      badge_removed_at: person.badge_removed_at?.toISOString() ?? null,
    },
    membership: membership
      ? {
          ...membership,
          confirmed_at: membership.confirmed_at?.toISOString() ?? null,
          ended_at: membership.ended_at?.toISOString() ?? null,
        }
      : null,
    ...access,
    ...openExportedLists({
      sql,
      userId,
      now: clock.now(),
      assertSession: assertSession ?? (async () => {}),
      canLogIn: assertSession !== undefined,
      absoluteUrl,
    }),
  };
  return writeJson(data);
};

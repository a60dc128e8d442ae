import { campusAddressSchema, campusCodeSchema, reauthenticationSchema, successSchema } from '../accounts.ts';
import { ownDataSchema } from '../own-data.ts';
import {
  accountDeletionSchema,
  ownProfileSchema,
  profileChangeSchema,
  publicProfileSchema,
} from '../profiles.ts';
import { declareCall, idParamsSchema } from './declare-call.ts';

/** The own account and its sessions, and public profiles. */
export const profileCalls = {
  getMe: declareCall({
    method: 'GET',
    path: '/rest/v1/me',
    summary: "The caller's own profile.",
    access: 'user',
    output: ownProfileSchema,
    errors: [],
  }),
  updateMe: declareCall({
    method: 'PATCH',
    path: '/rest/v1/me',
    summary: "Changes the named fields of the caller's profile.",
    access: 'user',
    body: (_today, campus) => profileChangeSchema(campus),
    output: ownProfileSchema,
    errors: [],
    limit: 'write',
  }),
  requestCampusCode: declareCall({
    method: 'POST',
    path: '/rest/v1/me/campus-address',
    summary:
      'Mails a code to a campus address that the caller adds to the account; the response does not say whether it belongs to another account.',
    access: 'user',
    body: (_today, campus) => campusAddressSchema(campus),
    output: ownProfileSchema,
    errors: ['already_verified', 'badge_removed', 'mail_off'],
    limit: 'write',
    accountLimits: ['codes_to', 'codes', 'own_campus_codes', 'campus_codes'],
  }),
  verifyCampusAddress: declareCall({
    method: 'POST',
    path: '/rest/v1/me/campus-address/verify',
    summary: 'Verifies the added campus address with its code, which sets the badge.',
    access: 'user',
    body: campusCodeSchema,
    output: ownProfileSchema,
    errors: [
      'code_invalid',
      'code_attempts_used',
      'campus_address_taken',
      'already_verified',
      'badge_removed',
    ],
    limit: 'write',
  }),
  removeCampusAddress: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me/campus-address',
    summary: 'Removes the added campus address, and the badge that it earned.',
    access: 'user',
    output: ownProfileSchema,
    errors: [],
    limit: 'write',
  }),
  reauthenticate: declareCall({
    method: 'POST',
    path: '/rest/v1/me/reauthentication',
    summary:
      'Confirms the identity of the caller by password or emailed code, after which the session may change the second factor for 10 minutes.',
    access: 'user',
    body: reauthenticationSchema,
    output: successSchema,
    errors: ['code_invalid', 'code_attempts_used'],
    limit: 'write',
    accountLimits: ['sign_in', 'guess', 'wrong_password', 'wrong_code', 'log_in'],
  }),
  deleteMe: declareCall({
    method: 'DELETE',
    path: '/rest/v1/me',
    summary: "Deletes the caller's account for good; messages sent to others stay, without a sender.",
    access: 'user',
    body: accountDeletionSchema,
    output: successSchema,
    errors: ['rental_unfinished', 'last_administrator'],
    limit: 'write',
  }),
  downloadMyData: declareCall({
    method: 'GET',
    path: '/rest/v1/me/data',
    summary: 'Everything that is kept about the caller, as a file.',
    access: 'user',
    output: ownDataSchema,
    errors: [],
    limit: 'download',
  }),
  getUser: declareCall({
    method: 'GET',
    path: '/rest/v1/users/{id}',
    summary: "A person's public profile; one that is suspended or not confirmed yet is not found.",
    access: 'anyone',
    params: idParamsSchema,
    output: publicProfileSchema,
    notFound: 'user_not_found',
    errors: [],
  }),
} as const;

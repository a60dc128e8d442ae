import { expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import { calculateProfileCompletion, createProfileFormSchema, maxBioLength } from './profiles.ts';

const emptyProfile = { full_name: null, avatar_url: null, bio: null, usc_verified: false };

test.each([
  [emptyProfile, 25],
  [{ ...emptyProfile, full_name: 'Ada' }, 50],
  [{ ...emptyProfile, full_name: '  ', bio: ' ' }, 25],
  [{ ...emptyProfile, avatar_url: '/storage/v1/object/public/avatars/a/1.jpg' }, 50],
  [{ ...emptyProfile, bio: 'Hello.' }, 40],
  [{ ...emptyProfile, usc_verified: true }, 35],
  [{ full_name: 'Ada', avatar_url: '/a', bio: 'Hello.', usc_verified: true }, 100],
])('completion counts each part of the profile: %o is %i percent (specification §9)', (profile, percent) => {
  expect(calculateProfileCompletion(profile)).toBe(percent);
});

test('the profile form requires a name and a role; the bio is optional, with at most 500 characters', () => {
  const form = { full_name: ' Ada ', role: 'Staff', bio: '' };
  expect(createProfileFormSchema(defaultCampus).parse(form)).toEqual({
    full_name: 'Ada',
    role: 'Staff',
    bio: '',
  });
  expect(
    createProfileFormSchema(defaultCampus).safeParse({ ...form, bio: 'x'.repeat(maxBioLength) }).success,
  ).toBe(true);
  for (const wrong of [{ full_name: ' ' }, { role: '' }, { bio: 'x'.repeat(maxBioLength + 1) }]) {
    expect(createProfileFormSchema(defaultCampus).safeParse({ ...form, ...wrong }).success).toBe(false);
  }
});

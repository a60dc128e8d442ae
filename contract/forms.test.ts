import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import { toFieldErrors } from './errors.ts';
import { contactTopics, formatCampusEmailHint, jobOpenings } from './form-choices.ts';
import {
  concernReportSchema,
  createContactFormSchema,
  createDataDeletionRequestSchema,
  createJobApplicationSchema,
  formErrorMessages,
} from './forms.ts';

const emailHint = formatCampusEmailHint(defaultCampus);
const validContactForm = { name: 'Sam', email: 'Sam@USC.edu ', topic: contactTopics[0], message: 'Hello' };
const findContactErrors = (changes: object) => {
  const { error } = createContactFormSchema(defaultCampus).safeParse({ ...validContactForm, ...changes });
  return error ? toFieldErrors(error) : {};
};

test('the contact form stores an address in lower case', () => {
  expect(createContactFormSchema(defaultCampus).parse(validContactForm).email).toBe('sam@usc.edu');
});

test.each([
  [{ name: 'a'.repeat(100), message: 'a'.repeat(4000) }, {}],
  [{ name: ' ' }, { name: formErrorMessages.name }],
  [{ name: 'a'.repeat(101) }, { name: formErrorMessages.nameLong }],
  [{ message: '\n' }, { message: formErrorMessages.message }],
  [{ message: 'a'.repeat(4001) }, { message: formErrorMessages.messageLong }],
  [{ email: 'sam@gmail.com' }, { email: emailHint }],
  [{ email: 'sam' }, { email: emailHint }],
  [{ email: null }, { email: emailHint }],
  [{ topic: 'Other topic' }, { topic: formErrorMessages.topic }],
  [
    { topic: undefined, name: 5 },
    { topic: formErrorMessages.topic, name: formErrorMessages.name },
  ],
])('the contact form with %j has the errors %j', (changes, errors) =>
  expect(findContactErrors(changes)).toEqual(errors),
);

test.each([
  [{ subject: 'a'.repeat(120), details: 'a'.repeat(4000), item_link: 'a'.repeat(500) }, {}],
  [{ subject: 'a'.repeat(121), details: 'a' }, { subject: formErrorMessages.subjectLong }],
  [{ subject: 'a', details: 'a'.repeat(4001) }, { details: formErrorMessages.detailsLong }],
  [{ subject: 'a', details: 'a', item_link: 'a'.repeat(501) }, { item_link: formErrorMessages.itemLinkLong }],
  [{}, { subject: formErrorMessages.subject, details: formErrorMessages.details }],
])('a report with %j has the errors %j', (report, errors) => {
  const { error } = concernReportSchema.safeParse(report);
  expect(error ? toFieldErrors(error) : {}).toEqual(errors);
});

test('an application must be for one of the job openings', () => {
  const application = { opening: jobOpenings[0], name: 'Sam', email: 'sam@usc.edu' };
  expect(createJobApplicationSchema(defaultCampus).parse(application)).toEqual(application);
  const { error } = createJobApplicationSchema(defaultCampus).safeParse({ ...application, opening: 'CEO' });
  expect(error && toFieldErrors(error)).toEqual({ opening: formErrorMessages.opening });
});

describe('for every request body', () => {
  test('forms return only our own error messages and never throw', () => {
    const ours = new Set<string>([
      ...Object.values(formErrorMessages),
      emailHint,
      'This text contains characters that cannot be used',
    ]);
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }));
    const names = ['name', 'email', 'topic', 'message', 'subject', 'details', 'item_link', 'opening'];
    const schemas = [
      createContactFormSchema(defaultCampus),
      createJobApplicationSchema(defaultCampus),
      createDataDeletionRequestSchema(defaultCampus),
      concernReportSchema,
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value), (body) => {
        for (const schema of schemas) {
          const { data, error } = schema.safeParse(body);
          for (const { message } of error?.issues ?? []) expect(ours).toContain(message);
          if (data) expect(schema.parse(data)).toEqual(data);
        }
      }),
    );
  });
});

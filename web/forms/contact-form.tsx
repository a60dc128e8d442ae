import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Campus } from '#contract/campus.ts';
import { contactTopics } from '#contract/form-choices.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Select } from '#web/ui/select.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { CampusEmailField } from './campus-email-field.tsx';
import { usePublicForm } from './use-public-form.ts';

const topicOptions = contactTopics.map((topic) => ({ value: topic, label: topic }));

/** The contact form, replaced by a thank-you message after sending. */
export function ContactForm({ campus }: { campus: Campus }) {
  const [isSent, setIsSent] = useState(false);
  return isSent ? (
    <ThankYou onAgain={() => setIsSent(false)} />
  ) : (
    <ContactFields campus={campus} onSent={() => setIsSent(true)} />
  );
}

function ContactFields({ campus, onSent }: { campus: Campus; onSent: () => void }) {
  const { register, errors, formProps, submitButton } = usePublicForm({
    form: ({ createContactForm }) => createContactForm(campus),
    draft: 'contact',
    onSent,
  });
  return (
    <form {...formProps} aria-label="Contact" className="flex flex-col gap-5">
      <Field label="Name" error={errors.name?.message} required>
        <Input autoComplete="name" {...register('name')} />
      </Field>
      <CampusEmailField campus={campus} error={errors.email?.message} {...register('email')} />
      <Field label="Topic" error={errors.topic?.message} required>
        <Select options={topicOptions} placeholder="Select a topic" {...register('topic')} />
      </Field>
      <Field label="Message" error={errors.message?.message} required>
        <Textarea className="min-h-40" {...register('message')} />
      </Field>
      <Button {...submitButton} className="sm:self-start">
        Send Message
      </Button>
    </form>
  );
}

function ThankYou({ onAgain }: { onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The submit button that had the focus has disappeared, so the heading takes the focus.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="flex flex-col items-center py-8 text-center">
      <CircleCheck aria-hidden="true" className="mb-4 size-14 text-lawn-text" strokeWidth={1.5} />
      <h2 ref={heading} tabIndex={-1} className="font-extrabold text-2xl outline-none">
        Message Received!
      </h2>
      <p className="mt-2 mb-6 text-ink-muted">We will get back to you within 2 business days.</p>
      <Button variant="secondary" onClick={onAgain}>
        Send Another Message
      </Button>
    </div>
  );
}

import { Mail, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { links } from '#web/lib/links.ts';

export interface ContactLinksProps {
  email: string | null;
  phone: string | null;
  /** The `tel:` address of the phone number. */
  phoneUrl: string | undefined;
}

/** Links to the seller's email address and phone number. Renders nothing if the listing has neither. */
export function ContactLinks({ email, phone, phoneUrl }: ContactLinksProps) {
  if (!email && !phone) return null;
  return (
    <section aria-labelledby="contact">
      <h2 id="contact" className="font-bold text-lg">
        Contact
      </h2>
      <ul className="mt-1">
        {email && (
          <ContactLink href={links.mail(email)} icon={<Mail aria-hidden="true" />}>
            {email}
          </ContactLink>
        )}
        {phone && phoneUrl && (
          <ContactLink href={phoneUrl} icon={<Phone aria-hidden="true" />}>
            {phone}
          </ContactLink>
        )}
      </ul>
    </section>
  );
}

function ContactLink({ href, icon, children }: { href: string; icon: ReactNode; children: ReactNode }) {
  return (
    <li>
      <a
        href={href}
        className="inline-flex min-h-11 max-w-full items-center gap-2.5 font-semibold text-brand-text underline-offset-4 hover:underline [&_svg]:size-5 [&_svg]:shrink-0"
      >
        {icon}
        <span className="min-w-0 break-words">{children}</span>
      </a>
    </li>
  );
}

import { useState } from 'react';
import { Link } from 'react-router';
import type { ConsoleFormDetail } from '#contract/console-forms.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { consoleLinks } from '../console-sections.ts';
import { DeletePersonDialog } from '../people/person-dialogs.tsx';

/**
 * The account that a deletion request names, or else the account of its sender, and the button that deletes it. People
 * who log in with another address than a campus one cannot enter their log-in address in the form.
 */
export function DeletionRequestPanel({
  form,
  onDeleted,
}: {
  form: ConsoleFormDetail;
  onDeleted: () => void;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const { named_account: named, sender } = form;
  const account = named ?? sender;
  return (
    <Card padded>
      <section aria-label="Account to delete" className="grid gap-3">
        <h2 className="font-extrabold text-lg">Account to delete</h2>
        {account ? (
          <>
            <p>
              <Link to={consoleLinks.person(account.id)} className="break-all text-brand-text underline">
                {account.email}
              </Link>
            </p>
            {sender?.id === account.id ? (
              <p className="text-ink-muted text-sm">
                {named
                  ? 'The owner was logged in when the request was sent.'
                  : `There is no account with the address ${form.email}. The sender was logged in to this account.`}
              </p>
            ) : (
              <Alert
                tone="notice"
                title="Ask the owner first"
              >{`The request was sent without logging in to this account, and anybody can enter any address. ${
                form.email?.toLowerCase() === account.email
                  ? 'Send an answer and wait for a reply from this address.'
                  : `The campus address that was entered may belong to somebody else by now. Write to ${account.email} and wait for a reply from there.`
              }`}</Alert>
            )}
            <div>
              <Button variant="danger" onClick={() => setIsOpen(true)}>
                Delete this account
              </Button>
            </div>
          </>
        ) : (
          <p className="text-ink-muted">There is no account with this address. Mark the request as done.</p>
        )}
        {isOpen && account && (
          <DeletePersonDialog
            person={account}
            formId={form.id}
            onClose={() => setIsOpen(false)}
            onDeleted={onDeleted}
          />
        )}
      </section>
    </Card>
  );
}

import { type RefObject, useEffect, useRef, useState } from 'react';
import { onChangeInOtherTab } from '#web/lib/stored-values.ts';
import { createUuid } from '#web/lib/uuid.ts';
import { findUnsentListingForm, type ListingFormKey } from './unsent-listing-form.ts';

/**
 * Returns the client id of a form. Until the listing has an id, every save sends this client id, so that a retry after
 * a lost response does not create a second listing, even after a reload. When another tab posts or discards the saved
 * form, the id changes, because posting under the old id would overwrite the listing of the other tab. The ref holds
 * the id for code that runs after a response.
 */
export const useClientId = (
  { ownerId, listingId }: ListingFormKey,
  restoredId: string | undefined,
): { clientId: string; currentClientId: RefObject<string> } => {
  const [clientId, setClientId] = useState(() => restoredId ?? createUuid());
  useEffect(
    () =>
      onChangeInOtherTab(ownerId, () => {
        if (!findUnsentListingForm({ ownerId, listingId })) setClientId(createUuid());
      }),
    [ownerId, listingId],
  );
  const currentClientId = useRef(clientId);
  useEffect(() => {
    currentClientId.current = clientId;
  }, [clientId]);
  return { clientId, currentClientId };
};

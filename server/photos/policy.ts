import type { StoredObject } from './repository.ts';

declare const ownedBrand: unique symbol;
/** An object that belongs to the caller, as confirmed by the policy; only this file creates one. */
export type CallerOwnedObject = StoredObject & { readonly [ownedBrand]: true };

const isObjectOwnedBy = (object: StoredObject, userId: string): object is CallerOwnedObject =>
  object.owner_id === userId;

/** Returns the object if the caller owns it. Otherwise returns undefined, as if the object did not exist. */
export const asCallerOwnedObject = (
  object: StoredObject | undefined,
  userId: string,
): CallerOwnedObject | undefined => (object && isObjectOwnedBy(object, userId) ? object : undefined);

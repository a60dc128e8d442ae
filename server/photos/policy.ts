import type { StoredObject } from './repository.ts';

declare const owned: unique symbol;
/** An object of which the policy has confirmed that the caller owns it; only this file creates one. */
export type OwnedObject = StoredObject & { readonly [owned]: true };

const isOwned = (object: StoredObject, userId: string): object is OwnedObject => object.owner_id === userId;

/** Returns the object as an OwnedObject if the caller owns it; undefined otherwise, as if it did not exist. */
export const asOwner = (object: StoredObject | undefined, userId: string): OwnedObject | undefined =>
  object && isOwned(object, userId) ? object : undefined;

import type { StoredObject } from './repository.ts';

declare const owned: unique symbol;
/** An object whose owner is the one who asks: only this file makes one. */
export type OwnedObject = StoredObject & { readonly [owned]: true };

const isOwned = (object: StoredObject, userId: string): object is OwnedObject => object.owner_id === userId;

/** The object as its owner may change it; undefined for everyone else, as if it did not exist. */
export const asOwner = (object: StoredObject | undefined, userId: string): OwnedObject | undefined =>
  object && isOwned(object, userId) ? object : undefined;

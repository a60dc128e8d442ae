import { data, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import type { ErrorBody } from '#contract/errors.ts';
import { toPhoneUrl } from '#contract/phone-numbers.ts';
import { isGone } from '#contract/selling.ts';
import { ListingActionSpace } from '#web/deals/listing-deal-buttons.tsx';
import { links } from '#web/lib/links.ts';
import { pageLoaderContext } from '#web/lib/page-context.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus, usePublicUrl } from '#web/lib/use-campus.ts';
import { useSession } from '#web/lib/use-session.ts';
import { ListingDetail } from '#web/listings/listing-detail.tsx';
import { describeCategoryFields } from '#web/listings/public.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { ActionBar } from '#web/ui/action-bar.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { createListingMeta } from './listing/listing-meta.ts';
import { ReportListingButtons } from './listing/report-listing.tsx';
import { VisitorActions } from './listing/visitor-actions.tsx';

const ListingNotFound = lazyComponent(
  async () => (await import('#web/listings/listing-not-found.tsx')).ListingNotFound,
);
// Few listings need the notice, so its script is not part of the page.
const UnavailableNotice = lazyComponent(
  async () => (await import('#web/listings/unavailable-notice.tsx')).UnavailableNotice,
  { placeholder: () => <div className="h-12" /> },
);
const OwnerActions = lazyComponent(async () => (await import('./listing/owner-actions.tsx')).OwnerActions, {
  placeholder: ActionsPlaceholder,
});
const isListingNotFound = (error: unknown): boolean =>
  (error as Partial<ErrorBody> | undefined)?.code === 'listing_not_found';

export const loader = async ({ context, params }: LoaderFunctionArgs) => {
  const { campus, reads } = context.get(pageLoaderContext);
  const slug = params.slug ?? '';
  try {
    const [listing, similar] = await Promise.all([reads.getListing(slug), reads.listSimilar(slug)]);
    return data({
      listing,
      similar,
      facts: describeCategoryFields(listing, campus),
      phoneUrl: listing.contact_phone ? toPhoneUrl(campus, listing.contact_phone) : undefined,
    });
  } catch (error) {
    if (!isListingNotFound(error)) throw error;
    return data({ listing: undefined, similar: [], facts: undefined, phoneUrl: undefined }, { status: 404 });
  }
};

export const meta: MetaFunction<typeof loader> = ({ matches, loaderData }) => {
  const site = getSiteData(matches);
  if (loaderData?.listing) return createListingMeta(site, loaderData.listing, loaderData.facts?.structured);
  return createPageMeta(site, {
    title: 'Listing Not Found',
    description: 'There is no such listing.',
    path: links.home,
    unlisted: true,
  });
};

/** Keeps the room of the actions of a listing's owner. */
function ActionsPlaceholder() {
  return (
    <>
      <p className="min-h-[1lh] text-sm max-md:order-1" />
      <ActionBar>
        <div className="h-12" />
      </ActionBar>
    </>
  );
}

export default function ListingDetailPage() {
  const { listing, similar, facts, phoneUrl } = useLoaderData<typeof loader>();
  const campus = useCampus();
  const { user } = useSession();
  const publicUrl = usePublicUrl();
  const isOwner = user?.id === listing?.user_id;
  return (
    <PageBody>
      {listing ? (
        <ListingDetail
          key={listing.id}
          listing={listing}
          similar={similar}
          facts={facts?.shown}
          phoneUrl={phoneUrl}
          campus={campus}
          url={`${publicUrl}${links.listing(listing.slug)}`}
          action={
            <>
              {(listing.unavailable || listing.status === 'sold') && <UnavailableNotice listing={listing} />}
              {!isGone(listing) &&
                (isOwner ? (
                  <ListingActionSpace>
                    <OwnerActions listing={listing} />
                  </ListingActionSpace>
                ) : (
                  <VisitorActions listing={listing} />
                ))}
            </>
          }
          report={!isOwner && <ReportListingButtons listing={listing} />}
        />
      ) : (
        <ListingNotFound />
      )}
    </PageBody>
  );
}

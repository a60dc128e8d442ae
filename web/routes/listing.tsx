import { Flag, MessageCircle, Pencil } from 'lucide-react';
import { lazy, useState } from 'react';
import {
  data,
  Link,
  type LoaderFunctionArgs,
  type MetaFunction,
  useLoaderData,
  useSearchParams,
} from 'react-router';
import type { ErrorBody } from '#contract/errors.ts';
import type { Listing } from '#contract/listings.ts';
import { photoCopyUrl } from '#contract/photos.ts';
import { formatPrice } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { pageContext } from '#web/lib/page-context.ts';
import { pageMeta, siteDataFromMatches, toExcerpt } from '#web/lib/page-meta.ts';
import { type SiteData, useCampus, usePublicUrl } from '#web/lib/use-campus.ts';
import { useSession } from '#web/lib/use-session.ts';
import { ListingDetail } from '#web/listings/listing-detail.tsx';
import { toStructuredListing } from '#web/listings/public.ts';
import { PageBody } from '#web/shell/page-body.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-dialog.tsx';
import { LazyPart } from '#web/ui/lazy-part.tsx';

const ListingNotFound = lazy(async () => ({
  default: (await import('#web/listings/listing-not-found.tsx')).ListingNotFound,
}));
const MessageDialog = lazyDialog(
  async () => (await import('#web/conversations/message-dialog.tsx')).MessageDialog,
);
const ReportDialog = lazyDialog(async () => (await import('#web/forms/report-dialog.tsx')).ReportDialog);
const SignInRequiredDialog = lazyDialog(
  async () => (await import('#web/conversations/sign-in-required-dialog.tsx')).SignInRequiredDialog,
);

const isListingNotFound = (error: unknown): boolean =>
  (error as Partial<ErrorBody> | undefined)?.code === 'listing_not_found';

export const loader = async ({ context, params }: LoaderFunctionArgs) => {
  const { reads } = context.get(pageContext);
  const slug = params.slug ?? '';
  try {
    const [listing, similar] = await Promise.all([reads.getListing(slug), reads.listSimilar(slug)]);
    return data({ listing, similar });
  } catch (error) {
    if (!isListingNotFound(error)) throw error;
    return data({ listing: undefined, similar: [] }, { status: 404 });
  }
};

const createListingMeta = (site: SiteData, listing: Listing) => {
  const [cover] = listing.images;
  const price = formatPrice(listing.price);
  return [
    ...pageMeta(site, {
      title: `${listing.title}, ${price}`,
      description: toExcerpt(`${price}. ${listing.description}`),
      path: links.listing(listing.slug),
      image: cover && { path: photoCopyUrl(cover.url, 1024, 'jpeg'), alt: listing.title },
      type: 'product',
      structured: toStructuredListing(listing, site.campus, site.publicUrl),
    }),
    { property: 'product:price:amount', content: listing.price.toFixed(2) },
    { property: 'product:price:currency', content: 'USD' },
  ];
};

export const meta: MetaFunction<typeof loader> = ({ matches, loaderData }) => {
  const site = siteDataFromMatches(matches);
  if (loaderData?.listing) return createListingMeta(site, loaderData.listing);
  return pageMeta(site, {
    title: 'Listing Not Found',
    description: 'There is no such listing.',
    path: links.home,
    unlisted: true,
  });
};

export default function ListingPage() {
  const { listing, similar } = useLoaderData<typeof loader>();
  const campus = useCampus();
  return (
    <PageBody>
      {listing ? (
        <ListingDetail
          listing={listing}
          similar={similar}
          campus={campus}
          actions={<Actions key={listing.id} listing={listing} />}
        />
      ) : (
        <LazyPart>
          <ListingNotFound />
        </LazyPart>
      )}
    </PageBody>
  );
}

function Actions({ listing }: { listing: Listing }) {
  const { user } = useSession();
  return (
    <div className="space-y-1">
      {user?.id === listing.user_id ? (
        <Button wide size="lg" asChild>
          <Link to={links.editListing(listing.id)}>
            <Pencil aria-hidden="true" className="size-5" />
            Edit Listing
          </Link>
        </Button>
      ) : (
        <>
          <MessageSeller listing={listing} />
          <ReportListing listing={listing} />
        </>
      )}
    </div>
  );
}

/** Returns whether the person asked to message the seller before logging in; the URL carries this as `?message=1`. */
const useMessageRequest = (): { isRequested: boolean; clearRequest: () => void } => {
  const [params, setParams] = useSearchParams();
  const clearRequest = () =>
    setParams(
      (before) => {
        before.delete('message');
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return { isRequested: params.get('message') === '1', clearRequest };
};

function MessageSeller({ listing }: { listing: Listing }) {
  const { isAuthenticated } = useSession();
  const { isRequested, clearRequest } = useMessageRequest();
  const [openedDialog, setOpenedDialog] = useState<'message' | 'sign-in'>();
  const dialogToShow = openedDialog ?? (isRequested && isAuthenticated ? 'message' : undefined);
  const SellerDialog = dialogToShow === 'message' ? MessageDialog : SignInRequiredDialog;

  const close = () => {
    setOpenedDialog(undefined);
    if (isRequested) clearRequest();
  };

  return (
    <>
      <Button
        wide
        size="lg"
        icon={<MessageCircle aria-hidden="true" className="size-5" />}
        onClick={() => setOpenedDialog(isAuthenticated ? 'message' : 'sign-in')}
      >
        Message Seller
      </Button>
      {dialogToShow && <SellerDialog listing={listing} onClose={close} />}
    </>
  );
}

function ReportListing({ listing }: { listing: Listing }) {
  const publicUrl = usePublicUrl();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        wide
        icon={<Flag aria-hidden="true" className="size-4" />}
        onClick={() => setIsDialogOpen(true)}
      >
        Report Listing
      </Button>
      {isDialogOpen && (
        <ReportDialog
          itemLink={`${publicUrl}${links.listing(listing.slug)}`}
          onClose={() => setIsDialogOpen(false)}
        />
      )}
    </>
  );
}

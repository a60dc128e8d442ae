import { buildPhotoCopyUrl, type Photo as StoredPhoto } from '#contract/photos.ts';
import { getPhotoSources } from '#web/lib/photo-sources.ts';
import { useProtectedImage } from '#web/lib/use-protected-image.ts';
import { Photo, type PhotoProps } from '#web/ui/photo.tsx';

interface OwnPhotoProps extends Pick<PhotoProps, 'sizes' | 'alt' | 'className'> {
  photo: StoredPhoto | undefined;
  /** Whether its listing is taken down. The server then serves the photo with the session of its owner only. */
  isHidden: boolean;
}

export function OwnPhoto({ photo, isHidden, sizes, ...props }: OwnPhotoProps) {
  const isProtected = isHidden && photo !== undefined;
  const src = useProtectedImage(isProtected ? buildPhotoCopyUrl(photo.url, 640, 'jpeg') : undefined);
  if (!isProtected) return <Photo {...getPhotoSources(photo)} sizes={sizes} {...props} />;
  return <Photo src={src} width={photo.width} height={photo.height} thumbhash={photo.thumbhash} {...props} />;
}

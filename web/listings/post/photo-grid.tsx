import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
} from '@dnd-kit/sortable';
import { clsx } from 'clsx';
import {
  ArrowLeft,
  ArrowRight,
  EyeOff,
  GripVertical,
  RotateCw,
  Star,
  Trash2,
  TriangleAlert,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Photo as StoredPhoto } from '#contract/photos.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { DropdownMenu, MenuHeader, MenuItem } from '#web/ui/dropdown-menu.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { OwnPhoto } from '../own-photo.tsx';
import type { PhotoItem } from './photo-items.ts';
import type { UsePhotosResult } from './use-photos.ts';

export interface PhotoGridProps {
  photos: UsePhotosResult;
  /** What follows the photos, in list items. */
  children?: ReactNode;
}

const keyboardMoveInstructions =
  'Press space or enter to pick the photo up, the arrow keys to move it, space or enter to put it down, escape to leave it where it was.';

/**
 * The photos of the form, on phones as a strip whose photos have a menu each. They can be reordered with the mouse, by long
 * press, by keyboard, or in the menu.
 */
export function PhotoGrid({ photos, children }: PhotoGridProps) {
  const { items } = photos;
  const sensors = useSensors(
    // A minimum distance tells a mouse drag from a click, and a delay tells a touch drag from
    // scrolling.
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 200, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const ids = items.map(({ id }) => id);

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{
        announcements: createDragAnnouncements(ids),
        screenReaderInstructions: { draggable: keyboardMoveInstructions },
      }}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) photos.move(String(active.id), String(over.id));
      }}
    >
      <SortableContext items={ids} strategy={rectSortingStrategy}>
        <ul
          aria-label="Photos in order"
          className="scroll-row gap-2 md:mb-3 md:grid md:grid-cols-3 md:gap-3 max-md:-m-1.5 max-md:p-1.5"
        >
          {items.map((item, index) => (
            <SortablePhoto key={item.id} item={item} place={index + 1} photos={photos} />
          ))}
          {children}
        </ul>
      </SortableContext>
      <RefusedCodes photos={photos} />
    </DndContext>
  );
}

/** On phones, where there is no room in the frame of a photo, says that photos with a code are refused, and blurs it. */
function RefusedCodes({ photos }: { photos: UsePhotosResult }) {
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const refused = photos.items.filter(({ codes }) => codes);
  return (
    <div {...focusFallback} className="outline-none md:hidden">
      {refused.length > 0 && (
        <Alert
          tone="notice"
          title={refused[0]?.error ?? undefined}
          className="mt-2"
          action={
            <Button
              variant="secondary"
              size="sm"
              onClick={() => {
                for (const item of refused) photos.hideCodes(item);
              }}
            >
              Blur the code
            </Button>
          }
        />
      )}
    </div>
  );
}

interface SortablePhotoProps {
  item: PhotoItem;
  /** Position of the photo in the list, from 1. */
  place: number;
  photos: UsePhotosResult;
}

function SortablePhoto({ item, place, photos }: SortablePhotoProps) {
  const alone = photos.items.length === 1;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({
      id: item.id,
      disabled: alone,
    });
  const handle = !alone && (
    <IconButton
      {...attributes}
      ref={setActivatorNodeRef}
      label={`Move photo ${place}`}
      tone="solid"
      className="cursor-grab"
    >
      <GripVertical aria-hidden="true" />
    </IconButton>
  );
  return (
    <li
      ref={setNodeRef}
      {...listeners}
      style={{
        transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
        transition,
      }}
      className={clsx(
        'touch-manipulation max-md:size-18 max-md:shrink-0',
        isDragging && 'relative z-10 opacity-90 shadow-lg',
      )}
    >
      <PhotoTile item={item} place={place} photos={photos} handle={handle} />
    </li>
  );
}

const createDragAnnouncements = (ids: readonly string[]): Announcements => {
  const name = (id: string | number): string => `photo ${ids.indexOf(String(id)) + 1}`;
  const place = (id: string | number): string => `place ${ids.indexOf(String(id)) + 1} of ${ids.length}`;
  return {
    onDragStart: ({ active }) => `Picked up ${name(active.id)}.`,
    onDragOver: ({ active, over }) =>
      over ? `${name(active.id)} is over ${place(over.id)}.` : `${name(active.id)} is over no place.`,
    onDragEnd: ({ active, over }) =>
      over ? `${name(active.id)} was put in ${place(over.id)}.` : `${name(active.id)} stays where it was.`,
    onDragCancel: ({ active }) => `${name(active.id)} stays where it was.`,
  };
};

interface PhotoTileProps extends SortablePhotoProps {
  /** The handle for dragging the photo. There is none if the form has only one photo. */
  handle: ReactNode;
}

/** Returns the `sizes` attribute of a stored photo. On phones the frame is square, and a landscape photo fills it. */
const toSizesAttribute = ({ width, height }: StoredPhoto): string =>
  `(min-width: 48rem) 12.5rem, ${(4.5 * Math.max(1, width / height)).toFixed(2)}rem`;

/** One photo of the form, with its progress or its error. */
function PhotoTile({ item, place, photos, handle }: PhotoTileProps) {
  const name = `photo ${place}`;
  const { image, isHidden = false } = item;
  const shown = { alt: `Preview of ${name}`, className: 'max-md:aspect-square!' };
  return (
    <div className="relative overflow-hidden rounded-md border border-line bg-surface">
      {image ? (
        <OwnPhoto photo={image} isHidden={isHidden} sizes={toSizesAttribute(image)} {...shown} />
      ) : (
        <Photo src={item.preview} {...shown} />
      )}
      {item.error && (
        <div
          role="alert"
          className="absolute inset-0 flex flex-col items-center justify-end gap-1 bg-danger-soft/95 p-2 text-center text-danger text-xs max-md:justify-center"
        >
          <TriangleAlert aria-hidden="true" className="size-6 shrink-0" />
          <p
            className={clsx(
              'line-clamp-4 font-medium leading-tight',
              // On phones `RefusedCodes` says it.
              item.codes ? 'max-md:hidden' : 'max-md:sr-only',
            )}
          >
            {item.error}
          </p>
          <Button
            variant="secondary"
            size="sm"
            wide
            className="max-md:hidden"
            icon={item.codes ? undefined : <RotateCw aria-hidden="true" className="size-4" />}
            onClick={() => (item.codes ? photos.hideCodes(item) : photos.retry(item))}
          >
            {item.codes ? 'Blur the code' : 'Try again'}
          </Button>
        </div>
      )}
      {place === 1 && !item.error && (
        <Badge
          tone="gold"
          className="absolute top-2 left-2 max-md:inset-x-0 max-md:top-auto max-md:bottom-0 max-md:left-0 max-md:justify-center max-md:rounded-none max-md:px-1"
        >
          Cover
        </Badge>
      )}
      <IconButton
        label={`Remove ${name}`}
        tone="solid"
        className="absolute! top-1 right-1 size-11! max-md:hidden"
        onClick={() => photos.remove(item.id)}
      >
        <X aria-hidden="true" />
      </IconButton>
      {place > 1 && !item.error && !item.uploading && (
        <IconButton
          label={`Make ${name} the cover`}
          tone="solid"
          className="absolute! top-1 left-1 max-md:hidden"
          onClick={() => photos.makeCover(item.id)}
        >
          <Star aria-hidden="true" />
        </IconButton>
      )}
      {handle && !item.uploading && !item.error && (
        <div className="absolute right-1 bottom-1 max-md:hidden">{handle}</div>
      )}
      {item.uploading && (
        <div className="absolute inset-x-0 bottom-0 bg-surface/90 p-2 max-md:p-1">
          <ProgressBar value={item.progress} label={`Uploading ${name}`} />
        </div>
      )}
      <PhotoMenu item={item} place={place} photos={photos} />
    </div>
  );
}

/** On phones, covers the photo with a button that opens a menu with what can be done with it. */
function PhotoMenu({ item, place, photos }: SortablePhotoProps) {
  const { id, error, uploading } = item;
  const [before, after] = [photos.items[place - 2], photos.items[place]];
  return (
    <DropdownMenu
      trigger={
        <button
          type="button"
          aria-label={`Options for photo ${place}`}
          className="absolute inset-0 rounded-md -outline-offset-3 md:hidden"
        />
      }
    >
      {error && (
        <>
          <MenuHeader>{error}</MenuHeader>
          {item.codes ? (
            <MenuItem icon={<EyeOff aria-hidden="true" />} onSelect={() => photos.hideCodes(item)}>
              Blur the code
            </MenuItem>
          ) : (
            <MenuItem icon={<RotateCw aria-hidden="true" />} onSelect={() => photos.retry(item)}>
              Try again
            </MenuItem>
          )}
        </>
      )}
      {place > 1 && !error && !uploading && (
        <MenuItem icon={<Star aria-hidden="true" />} onSelect={() => photos.makeCover(id)}>
          Make cover
        </MenuItem>
      )}
      {before && (
        <MenuItem icon={<ArrowLeft aria-hidden="true" />} onSelect={() => photos.move(id, before.id)}>
          Move left
        </MenuItem>
      )}
      {after && (
        <MenuItem icon={<ArrowRight aria-hidden="true" />} onSelect={() => photos.move(id, after.id)}>
          Move right
        </MenuItem>
      )}
      <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => photos.remove(id)}>
        Remove
      </MenuItem>
    </DropdownMenu>
  );
}

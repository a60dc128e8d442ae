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
import { GripVertical, RotateCw, Star, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Photo as StoredPhoto } from '#contract/photos.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { OwnPhoto } from '../own-photo.tsx';
import type { PhotoItem } from './photo-items.ts';
import type { UsePhotosResult } from './use-photos.ts';

export interface PhotoGridProps {
  photos: UsePhotosResult;
}

const keyboardMoveInstructions =
  'Press space or enter to pick the photo up, the arrow keys to move it, space or enter to put it down, escape to leave it where it was.';

/** The photos of the form; they can be reordered with the mouse, by long press, or by keyboard. */
export function PhotoGrid({ photos }: PhotoGridProps) {
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
        <ul aria-label="Photos in order" className="mb-3 grid grid-cols-2 gap-3 sm:grid-cols-3">
          {items.map((item, index) => (
            <SortablePhoto key={item.id} item={item} place={index + 1} photos={photos} />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
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
      className={clsx('touch-manipulation', isDragging && 'relative z-10 opacity-90 shadow-lg')}
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

/**
 * Returns the `sizes` attribute of a stored photo. On phones the frame is portrait, so a landscape
 * photo is drawn wider than the frame in order to fill it.
 */
const toSizesAttribute = ({ width, height }: StoredPhoto): string => {
  const overhang = Math.max(1, ((width / height) * 4) / 3).toFixed(2);
  return `(min-width: 48rem) 12.5rem, (min-width: 40rem) calc(33.3vw - 3rem), calc((50vw - 3.7rem) * ${overhang})`;
};

/** One photo of the form, with its progress or its error. */
function PhotoTile({ item, place, photos, handle }: PhotoTileProps) {
  const name = `photo ${place}`;
  const { image, isHidden = false } = item;
  const shown = { alt: `Preview of ${name}`, className: 'max-sm:aspect-3/4!' };
  return (
    <div className="relative overflow-hidden rounded-md border border-line bg-surface">
      {/* On phones the frame is higher, so that an error message fits between the buttons in its corners. */}
      {image ? (
        <OwnPhoto photo={image} isHidden={isHidden} sizes={toSizesAttribute(image)} {...shown} />
      ) : (
        <Photo src={item.preview} {...shown} />
      )}
      {item.error && (
        <div
          role="alert"
          className="absolute inset-0 flex flex-col items-center justify-end gap-1 bg-danger-soft/95 p-2 text-center text-danger text-xs"
        >
          <TriangleAlert
            aria-hidden="true"
            className="size-6 shrink-0 max-sm:absolute max-sm:top-3 max-sm:left-3"
          />
          <p className="line-clamp-4 font-medium leading-tight">{item.error}</p>
          <Button
            variant="secondary"
            size="sm"
            wide
            icon={<RotateCw aria-hidden="true" className="size-4 max-sm:hidden" />}
            onClick={() => photos.retry(item)}
          >
            Try again
          </Button>
        </div>
      )}
      {place === 1 && !item.error && (
        <Badge tone="gold" className="absolute top-2 left-2">
          Cover
        </Badge>
      )}
      <IconButton
        label={`Remove ${name}`}
        tone="solid"
        className="absolute! top-1 right-1 size-11!"
        onClick={() => photos.remove(item.id)}
      >
        <X aria-hidden="true" />
      </IconButton>
      {place > 1 && !item.error && !item.uploading && (
        <IconButton
          label={`Make ${name} the cover`}
          tone="solid"
          className="absolute! top-1 left-1"
          onClick={() => photos.makeCover(item.id)}
        >
          <Star aria-hidden="true" />
        </IconButton>
      )}
      {handle && !item.uploading && !item.error && <div className="absolute right-1 bottom-1">{handle}</div>}
      {item.uploading && (
        <div className="absolute inset-x-0 bottom-0 bg-surface/90 p-2">
          <ProgressBar value={item.progress} label={`Uploading ${name}`} />
        </div>
      )}
    </div>
  );
}

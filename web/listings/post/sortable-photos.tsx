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
import { GripVertical } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { PhotoItem } from './photo-items.ts';

export interface SortablePhotosProps {
  items: readonly PhotoItem[];
  /** Called when a photo was moved to another's position. */
  onMove: (id: string, to: string) => void;
  children: (item: PhotoItem, place: number, handle: ReactNode) => ReactNode;
}

const howToMove =
  'Press space or enter to pick the photo up, the arrow keys to move it, space or enter to put it down, escape to leave it where it was.';

/** Photos that can be reordered with the mouse, by long press on a phone, or by keyboard. */
export function SortablePhotos({ items, onMove, children }: SortablePhotosProps) {
  const sensors = useSensors(
    // Distinguishes a drag from a click and from scrolling.
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
        announcements: announcementsOf(ids),
        screenReaderInstructions: { draggable: howToMove },
      }}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) onMove(String(active.id), String(over.id));
      }}
    >
      <SortableContext items={ids} strategy={rectSortingStrategy}>
        <ul aria-label="Photos in order" className="mb-3 grid grid-cols-2 gap-3 sm:grid-cols-3">
          {items.map((item, index) => (
            <SortablePhoto key={item.id} id={item.id} place={index + 1} alone={items.length === 1}>
              {(handle) => children(item, index + 1, handle)}
            </SortablePhoto>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

interface SortablePhotoProps {
  id: string;
  place: number;
  alone: boolean;
  children: (handle: ReactNode) => ReactNode;
}

function SortablePhoto({ id, place, alone, children }: SortablePhotoProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({
      id,
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
      {children(handle)}
    </li>
  );
}

const announcementsOf = (ids: readonly string[]): Announcements => {
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

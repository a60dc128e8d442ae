import * as books from './books.ts';
import * as campusWear from './campus-wear.ts';
import * as clothing from './clothing.ts';
import * as electronics from './electronics.ts';
import * as flat from './flat-scenes.ts';
import * as furniture from './furniture.ts';
import * as gameDay from './game-day.ts';
import * as kitchen from './kitchen.ts';
import * as open from './open-scenes.ts';
import * as outdoors from './outdoors.ts';
import type { Pen } from './pen.ts';
import * as screens from './screens.ts';
import * as seats from './seats-and-beds.ts';
import * as standing from './standing-scenes.ts';
import * as study from './study.ts';

/** A kind of thing and the places it is photographed in. */
export interface Drawing {
  /** Draws the thing around (0, 0): standing things on y = 0, lying ones centred. */
  draw: (pen: Pen) => string;
  /** Places to stand in; lying things have none. */
  standing?: readonly [StandingScene, ...StandingScene[]];
  /** Surfaces to lie on. */
  lying?: readonly [Surface, ...Surface[]];
  /** How large the thing is in the picture; 1 fills most of it. */
  size: number;
}

type StandingScene = (pen: Pen) => standing.Scene;
type Surface = (pen: Pen) => string;

const stands = (
  draw: Drawing['draw'],
  size: number,
  ...scenes: [StandingScene, ...StandingScene[]]
): Drawing => ({
  draw,
  size,
  standing: scenes,
});
const lies = (draw: Drawing['draw'], size: number, ...surfaces: [Surface, ...Surface[]]): Drawing => ({
  draw,
  size,
  lying: surfaces,
});

const { room, studio, table, counter } = standing;
const { lawn, pavement } = open;
const { planks, paper, blanket, terrazzo, deskMat } = flat;

export const DRAWINGS = {
  tickets: lies(gameDay.tickets, 1.08, planks, paper, terrazzo),
  'parking-pass': lies(gameDay.parkingPass, 1.08, paper, planks, deskMat),
  canopy: stands(gameDay.canopy, 1.12, lawn),
  cooler: stands(gameDay.cooler, 1.3, lawn, studio),
  'camp-chair': stands(gameDay.campChair, 1.12, lawn, studio),
  scarf: lies(gameDay.scarf, 1.14, planks, paper, blanket),
  pennant: lies(gameDay.pennant, 1.1, planks, paper, terrazzo),
  grill: stands(gameDay.grill, 1.1, lawn, pavement),

  hoodie: lies(campusWear.hoodie, 1.08, planks, paper, terrazzo),
  jersey: lies(campusWear.jersey, 1.12, paper, planks, blanket),
  tee: lies(campusWear.tee, 1.12, terrazzo, paper, planks),
  cap: stands(campusWear.cap, 1.1, studio, table),
  jacket: lies(clothing.jacket, 1, paper, planks, terrazzo),
  dress: lies(clothing.dress, 0.98, paper, blanket, terrazzo),
  sneakers: stands(clothing.sneakers, 1.2, studio, room, pavement),
  boots: stands(clothing.boots, 1.12, room, studio),
  backpack: stands(clothing.backpack, 1.1, studio, room, pavement),
  gown: lies(clothing.graduationGown, 1, paper, planks),

  desk: stands(furniture.desk, 1.16, room),
  lamp: stands(furniture.lamp, 1.1, table, studio),
  'office-chair': stands(seats.officeChair, 1.1, room, studio),
  sofa: stands(seats.sofa, 1.14, room),
  'kerbside-sofa': stands(seats.sofa, 1.1, pavement),
  armchair: stands(seats.armchair, 1.12, room, studio),
  bed: stands(seats.bed, 1.1, room),
  bookshelf: stands(furniture.bookshelf, 1.1, room),
  dresser: stands(furniture.dresser, 1.14, room),
  mirror: stands(furniture.mirror, 0.96, room),
  rug: lies(furniture.rug, 1.1, planks),
  'mini-fridge': stands(furniture.miniFridge, 1.2, room, studio),
  plant: stands(furniture.plant, 1.42, table, studio, room),

  laptop: stands(screens.laptop, 1.14, table),
  monitor: stands(screens.monitor, 1.08, table),
  headphones: lies(electronics.headphones, 1.3, deskMat, paper, planks),
  tablet: lies(screens.tablet, 1.18, deskMat, planks, paper),
  keyboard: lies(electronics.keyboard, 1.04, deskMat, planks, paper),
  console: stands(electronics.gameConsole, 1.16, table, studio),
  camera: stands(electronics.camera, 1.24, table, studio),
  projector: stands(electronics.projector, 1.2, table),
  speaker: stands(electronics.speaker, 1.22, table, studio),
  calculator: lies(electronics.calculator, 1.12, deskMat, paper, planks),

  bicycle: stands(outdoors.bicycle, 1.16, pavement, lawn, studio),
  scooter: stands(outdoors.scooter, 1.24, pavement, lawn),
  skateboard: stands(outdoors.skateboard, 1.08, pavement, studio),
  tent: stands(outdoors.tent, 1.12, lawn),
  suitcase: stands(outdoors.suitcase, 1.08, room, studio),
  boxes: stands(outdoors.boxes, 1.1, room, pavement),
  hangers: lies(outdoors.clothesHangers, 1.04, paper, terrazzo),

  pots: stands(kitchen.pots, 1.16, counter),
  kettle: stands(kitchen.kettle, 1.14, counter, table),
  'coffee-maker': stands(kitchen.coffeeMaker, 1.06, counter, table),
  'rice-cooker': stands(kitchen.riceCooker, 1.22, counter, table),
  blender: stands(kitchen.blender, 1.06, counter, table),
  plates: stands(kitchen.plates, 1.26, counter, table),
  mugs: stands(kitchen.mugs, 1.2, table, counter),
  tumbler: stands(kitchen.tumbler, 1.14, table, studio),
  'toaster-oven': stands(kitchen.toasterOven, 1.14, counter),

  'chemistry-books': lies(books.textbookPair('chemistry', 'biology'), 0.98, planks, deskMat, paper),
  'calculus-book': lies(books.textbook('mathematics'), 1.1, planks, paper, deskMat),
  'economics-book': lies(books.textbook('economics'), 1.1, paper, planks, terrazzo),
  'physics-books': lies(books.textbookPair('physics', 'mathematics'), 0.98, deskMat, paper, planks),
  'computing-book': lies(books.textbook('computing'), 1.1, deskMat, paper, terrazzo),
  'literature-books': lies(books.textbookPair('literature', 'arts'), 0.98, blanket, planks, paper),
  'book-pile': stands(books.bookPile, 1.2, table, studio),
  notebooks: lies(study.notebooks, 1.02, planks, terrazzo, paper),
  flashcards: lies(study.flashcards, 1.16, deskMat, planks, paper),
  organizer: stands(study.deskOrganizer, 1.2, table),
  whiteboard: stands(study.whiteboard, 1.06, room, studio),
  'table-lamp': stands(study.backlitLamp, 1.08, table),
} as const satisfies Record<string, Drawing>;

export type DrawingName = keyof typeof DRAWINGS;

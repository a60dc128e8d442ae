import type { PersonKey } from './people.ts';

/** A conversation of the demo campus about the listing whose title begins with `about`. */
export interface DemoConversation {
  about: string;
  buyer: PersonKey;
  /** Hours between the listing and the first message. */
  after: number;
  /** Who wrote what, and how many minutes after the message before. */
  messages: readonly (readonly ['buyer' | 'seller', string, number])[];
  /** Messages at the end that the other side has not read yet. */
  unread: number;
}

export const demoConversations: DemoConversation[] = [
  {
    about: 'Solid wood desk',
    buyer: 'tom',
    after: 1,
    messages: [
      ['buyer', 'Hi Maya! Is the desk still available? I am moving in on Friday.', 0],
      ['seller', 'Hi Tom, yes it is. Do you have a car or do you need help with carrying?', 6],
      ['buyer', 'My cousin has a small SUV. Would the top fit if the legs come off?', 4],
      ['seller', 'Easily, it is 48 by 24 inches and about an inch thick.', 9],
      ['buyer', 'Perfect. Friday at four?', 12],
      ['seller', 'Friday at four works. I will have the legs off by then. Cash or any app is fine.', 5],
    ],
    unread: 0,
  },
  {
    about: 'Two student section tickets',
    buyer: 'maya',
    after: 0.4,
    messages: [
      ['buyer', 'Are both seats really together? My sister is visiting and this would be her first game.', 0],
      ['seller', 'Right next to each other, row 9. The band is in front of you, so expect to be loud.', 3],
      [
        'buyer',
        'She plays the trombone, so that is a feature. Can we meet at the Union tomorrow at noon?',
        7,
      ],
      ['seller', 'Sure, I will be by the main entrance and do the transfer while you watch.', 2],
      ['buyer', 'Great, see you there!', 1],
    ],
    unread: 1,
  },
  {
    about: 'Refurbished 14 inch laptop',
    buyer: 'amara',
    after: 0.2,
    messages: [
      [
        'buyer',
        'Hello, would this run the exam software of the law school? It asks for 8 GB and a camera.',
        0,
      ],
      ['seller', 'It has twice that and the camera is fine. You can install it and try before you pay.', 11],
      ['buyer', 'That is very kind. Would you take 490?', 8],
    ],
    unread: 1,
  },
  {
    about: 'Mirrorless camera',
    buyer: 'zoe',
    after: 5,
    messages: [
      [
        'buyer',
        'Hi Daniel, is the camera free this Saturday and Sunday? Shooting posters for the spring show.',
        0,
      ],
      ['seller', 'It is. Have you used one with manual focus before?', 24],
      ['buyer', 'Yes, for two semesters. I have my own cards as well.', 10],
      ['seller', 'Then you are set. Pick up Friday after three at the courtyard?', 13],
      ['buyer', 'Works for me, thank you!', 4],
      ['seller', 'I will pack the portrait lens on top. It makes the posters.', 18],
    ],
    unread: 1,
  },
  {
    about: 'Organic chemistry and cell biology',
    buyer: 'sofia',
    after: 0.7,
    messages: [
      ['buyer', 'Which edition is the biology book? My course wants the one with the green cover.', 0],
      ['seller', 'The one before that, but the chapters are the same up to number 20. I compared them.', 15],
      ['buyer', 'Good enough for me. Could I pick them up at the library on Wednesday?', 6],
    ],
    unread: 1,
  },
  {
    about: 'City bike by the day',
    buyer: 'kenji',
    after: 2,
    messages: [
      ['buyer', 'Hey, can I have the bike from Thursday to Monday? My own has a broken spoke.', 0],
      [
        'seller',
        'Sure, that is four days, let us say 40 in total. Bring me yours and I will look at the spoke.',
        8,
      ],
      ['buyer', 'You are a legend. Thursday morning at the racks?', 3],
      ['seller', 'Eight thirty. Helmet size?', 5],
      ['buyer', 'Medium, please.', 2],
    ],
    unread: 0,
  },
  {
    about: 'Mini fridge with separate freezer',
    buyer: 'maya',
    after: 3,
    messages: [
      ['buyer', 'Hi Leila! Could you hold the fridge until the weekend? I would bring a cart.', 0],
      ['seller', 'Of course. The elevator is wide enough, I measured it when I moved in.', 31],
      ['buyer', 'Wonderful. Saturday at ten then. Is 70 all right?', 5],
      ['seller', 'Make it 72 and I add the ice tray.', 14],
    ],
    unread: 1,
  },
  {
    about: 'Reading armchair',
    buyer: 'jordan',
    after: 20,
    messages: [
      ['buyer', 'Would this survive a fraternity living room?', 0],
      ['seller', 'It survived my nephews. I would keep it away from the grill, though.', 42],
      ['buyer', 'Fair. I will measure the corner tonight and let you know.', 9],
    ],
    unread: 0,
  },
];

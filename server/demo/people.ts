import type { Campus } from '#contract/campus.ts';
import type { Role } from '#contract/profiles.ts';

/** Someone of the demo campus. */
export interface DemoPerson {
  email: string;
  fullName: string;
  role: Role;
  bio: string;
  /** In the range that is kept free for fiction, so that nobody's telephone rings. */
  phone: string;
}

export type PersonKey = keyof ReturnType<typeof demoPeople>;

/** The password of every demo account. */
export const demoPassword = 'demo2024';

const phone = (last: number) => `(213) 555-01${last}`;

/** Who lives on the demo campus. The two with addresses elsewhere are not verified. */
export const demoPeople = ({ domain, shortName, mascot }: Campus) => {
  const here = (name: string) => `demo.${name}@${domain}`;
  return {
    maya: {
      email: here('maya'),
      fullName: 'Maya Castellanos',
      role: 'Student',
      bio: 'Junior in architecture. Moving to a smaller place near campus, so a lot of furniture has to go. Fair prices, quick pickups.',
      phone: phone(12),
    },
    jordan: {
      email: here('jordan'),
      fullName: 'Jordan Whitfield',
      role: 'Student',
      bio: 'Business major and season ticket holder. If it happens on a Saturday in the fall, I am probably grilling next to it.',
      phone: phone(27),
    },
    priya: {
      email: here('priya'),
      fullName: 'Priya Raghunathan',
      role: 'Student',
      bio: 'Biochemistry, class of next year. My textbooks come with careful pencil notes and no coffee stains.',
      phone: phone(33),
    },
    ethan: {
      email: here('ethan'),
      fullName: 'Ethan Okafor',
      role: 'Student',
      bio: 'Computer science. I fix laptops for friends and sell the ones I finish.',
      phone: phone(41),
    },
    sofia: {
      email: here('sofia'),
      fullName: 'Sofia Lindqvist',
      role: 'Student',
      bio: 'Exchange student from Uppsala, here until May. Everything I bought in August will need a new home.',
      phone: phone(48),
    },
    daniel: {
      email: here('daniel'),
      fullName: 'Daniel Park',
      role: 'Student',
      bio: 'Film production. I rent out my gear between shoots. Ask me about lenses.',
      phone: phone(55),
    },
    amara: {
      email: here('amara'),
      fullName: 'Amara Nwosu',
      role: 'Student',
      bio: 'Second-year law student, plant person, early riser. I answer messages before eight.',
      phone: phone(62),
    },
    lucas: {
      email: here('lucas'),
      fullName: 'Lucas Ferreira',
      role: 'Student',
      bio: 'Mechanical engineering and the cycling team. Every bike I sell has been through my own stand.',
      phone: phone(68),
    },
    hannah: {
      email: here('hannah'),
      fullName: 'Hannah Goldberg',
      role: 'Alumni',
      bio: `${shortName} class of 2019, still ten minutes away and still a ${mascot}. Clearing out the closet one season at a time.`,
      phone: phone(71),
    },
    kenji: {
      email: here('kenji'),
      fullName: 'Kenji Watanabe',
      role: 'Student',
      bio: 'Graduate student in urban planning. I cook a lot, which explains the kitchen things.',
      phone: phone(79),
    },
    zoe: {
      email: here('zoe'),
      fullName: 'Zoe Hartmann',
      role: 'Student',
      bio: 'Sophomore, graphic design. Thrift finds, prints and the occasional pair of shoes that never fit.',
      phone: phone(84),
    },
    marcus: {
      email: here('marcus'),
      fullName: 'Marcus Bell',
      role: 'Staff',
      bio: 'Works at the library, rides in on the train. Happy to meet at the front desk during lunch.',
      phone: phone(90),
    },
    leila: {
      email: 'demo.leila@example.com',
      fullName: 'Leila Haddad',
      role: 'Alumni',
      bio: 'Graduated in May, my campus address has run out. Selling what is left from four years in the same apartment.',
      phone: phone(93),
    },
    tom: {
      email: 'demo.tom@example.org',
      fullName: 'Tom Brennan',
      role: 'Student',
      bio: 'Transferring in this spring and looking for everything at once.',
      phone: phone(97),
    },
  } as const satisfies Record<string, DemoPerson>;
};

/** The meeting spots that the default campus starts with: public places, by name and landmark only. */
export const defaultMeetingSpots = [
  {
    id: '0b7f3a52-6a0e-4c1b-9d57-2f1f6f0c1a01',
    name: 'Tommy Trojan',
    landmark: 'Statue on Trousdale Parkway, by Bovard Auditorium',
  },
  {
    id: '0b7f3a52-6a0e-4c1b-9d57-2f1f6f0c1a02',
    name: 'Doheny Memorial Library',
    landmark: 'Front steps, facing Alumni Park',
  },
  {
    id: '0b7f3a52-6a0e-4c1b-9d57-2f1f6f0c1a03',
    name: 'Leavey Library',
    landmark: 'Main entrance, by McCarthy Quad',
  },
  {
    id: '0b7f3a52-6a0e-4c1b-9d57-2f1f6f0c1a04',
    name: 'Ronald Tutor Campus Center',
    landmark: 'Courtyard, on Trousdale Parkway',
  },
  {
    id: '0b7f3a52-6a0e-4c1b-9d57-2f1f6f0c1a05',
    name: 'USC Bookstore',
    landmark: 'Entrance on Childs Way',
  },
  {
    id: '0b7f3a52-6a0e-4c1b-9d57-2f1f6f0c1a06',
    name: 'Lyon Center',
    landmark: 'Main entrance, on West 34th Street',
  },
  {
    id: '0b7f3a52-6a0e-4c1b-9d57-2f1f6f0c1a07',
    name: 'USC Village',
    landmark: 'Hecuba statue in the central piazza',
  },
] as const;

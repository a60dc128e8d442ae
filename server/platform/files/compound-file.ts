// Reads just enough of a compound file ([MS-CFB]) to find a stream. Every loop is bounded by the number of sectors, so
// a crafted file costs no more than an honest one of its size.

const signature = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const littleEndian = 0xfffe;
/** Sector size as a power of two, by major version. */
const sectorShifts: Record<number, number> = { 3: 9, 4: 12 };
const miniSectorSize = 64;
/** Numbers from here on are marks (end of chain, free sector, no entry), not sectors or entries. */
const firstMark = 0xfffffffa;
/** Allocation tables named by the header itself: enough for 6.8 MB in sectors of 512 bytes. */
const tablesInHeader = 109;
const entrySize = 128;
const entryTypes = { stream: 2, root: 5 };

class DamagedFile extends Error {}

const openSectors = (file: Buffer) => {
  if (file.length < 1024 || !file.subarray(0, 8).equals(signature)) throw new DamagedFile();
  const shift = sectorShifts[file.readUInt16LE(26)];
  if (shift === undefined || file.readUInt16LE(28) !== littleEndian || file.readUInt16LE(30) !== shift) {
    throw new DamagedFile();
  }
  const size = 2 ** shift;
  const count = Math.ceil(file.length / size) - 1;

  const read = (sector: number): Buffer => {
    if (sector >= count) throw new DamagedFile();
    return file.subarray((sector + 1) * size, (sector + 2) * size);
  };
  const next = (sector: number): number => {
    const perTable = size / 4;
    const table = Math.floor(sector / perTable);
    if (table >= tablesInHeader) throw new DamagedFile();
    const offset = (sector % perTable) * 4;
    const content = read(file.readUInt32LE(76 + table * 4));
    if (offset + 4 > content.length) throw new DamagedFile();
    return content.readUInt32LE(offset);
  };
  function* chain(start: number): Generator<Buffer> {
    let steps = 0;
    for (let sector = start; sector < firstMark; sector = next(sector)) {
      if (steps >= count) throw new DamagedFile();
      steps += 1;
      yield read(sector);
    }
  }
  return { size, chain };
};

const nameOf = (entry: Buffer): string => {
  const length = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62);
  return entry.toString('utf16le', 0, length);
};

/** The entry of a stream directly below the root: its entries form a binary tree. */
const findStream = (directory: Buffer, name: string): Buffer | undefined => {
  const entryAt = (index: number): Buffer => {
    const entry = directory.subarray(index * entrySize, (index + 1) * entrySize);
    if (entry.length < entrySize) throw new DamagedFile();
    return entry;
  };
  const root = entryAt(0);
  if (root[66] !== entryTypes.root) throw new DamagedFile();
  const waiting = [root.readUInt32LE(76)];
  const seen = new Set<number>();
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (index >= firstMark || seen.has(index)) continue;
    seen.add(index);
    const entry = entryAt(index);
    if (entry[66] === entryTypes.stream && nameOf(entry) === name) return entry;
    waiting.push(entry.readUInt32LE(68), entry.readUInt32LE(72));
  }
  return undefined;
};

const readStart = (file: Buffer, name: string, length: number): Buffer | undefined => {
  const { size: sectorSize, chain } = openSectors(file);
  const directory = Buffer.concat([...chain(file.readUInt32LE(48))]);
  const entry = findStream(directory, name);
  if (!entry) return undefined;
  const start = entry.readUInt32LE(116);
  const size = entry.readUInt32LE(120);
  if (size < length || size > file.length) throw new DamagedFile();
  if (size >= file.readUInt32LE(56)) {
    const sectors = [...chain(start)];
    if (sectors.length * sectorSize < size) throw new DamagedFile();
    return sectors[0]?.subarray(0, length);
  }
  // Short streams lie in mini sectors, inside the stream of the root.
  const offset = start * miniSectorSize;
  const holder = [...chain(directory.readUInt32LE(116))][Math.floor(offset / sectorSize)];
  const within = offset % sectorSize;
  return holder?.subarray(within, within + length);
};

/**
 * Returns the first `length` bytes (at most 64) of the stream `name` directly below the root of a compound file, as
 * old Office documents are. Returns undefined when the bytes are no such file, are damaged, or hold no such stream.
 */
export const readCompoundStream = (file: Buffer, name: string, length: number): Buffer | undefined => {
  try {
    const found = readStart(file, name, length);
    return found?.length === length ? found : undefined;
  } catch (error) {
    if (error instanceof DamagedFile) return undefined;
    throw error;
  }
};

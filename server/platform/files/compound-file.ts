// Reads just enough of a compound file (specification [MS-CFB]) to find a stream. No loop runs more often
// than the file has sectors, so a crafted file takes no more time than a valid file of the same size.

const compoundFileSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const littleEndianByteOrder = 0xfffe;
/** Sector size as an exponent of two, by major version of the file format. */
const sectorShiftByVersion: Record<number, number> = { 3: 9, 4: 12 };
const miniSectorBytes = 64;
/**
 * The lowest reserved number. Reserved numbers do not identify a sector or a directory entry, but have
 * special meanings (end of chain, free sector, no entry).
 */
const firstReservedNumber = 0xfffffffa;
/**
 * Maximum number of FAT sectors that the header can list, which suffices for files of 6.8 MB with
 * sectors of 512 bytes. Larger files count as damaged.
 */
const maxFatSectors = 109;
const directoryEntryBytes = 128;
const directoryEntryTypes = { stream: 2, root: 5 };

class DamagedFileError extends Error {}

const createSectorReader = (file: Buffer) => {
  if (file.length < 1024 || !file.subarray(0, 8).equals(compoundFileSignature)) throw new DamagedFileError();
  const shift = sectorShiftByVersion[file.readUInt16LE(26)];
  if (
    shift === undefined ||
    file.readUInt16LE(28) !== littleEndianByteOrder ||
    file.readUInt16LE(30) !== shift
  ) {
    throw new DamagedFileError();
  }
  const size = 2 ** shift;
  const count = Math.ceil(file.length / size) - 1;

  const read = (sector: number): Buffer => {
    if (sector >= count) throw new DamagedFileError();
    return file.subarray((sector + 1) * size, (sector + 2) * size);
  };
  const next = (sector: number): number => {
    const perTable = size / 4;
    const table = Math.floor(sector / perTable);
    if (table >= maxFatSectors) throw new DamagedFileError();
    const offset = (sector % perTable) * 4;
    const content = read(file.readUInt32LE(76 + table * 4));
    if (offset + 4 > content.length) throw new DamagedFileError();
    return content.readUInt32LE(offset);
  };
  function* chain(start: number): Generator<Buffer> {
    let steps = 0;
    for (let sector = start; sector < firstReservedNumber; sector = next(sector)) {
      if (steps >= count) throw new DamagedFileError();
      steps += 1;
      yield read(sector);
    }
  }
  return { size, chain };
};

const readEntryName = (entry: Buffer): string => {
  const length = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62);
  return entry.toString('utf16le', 0, length);
};

/** Returns the directory entry of a stream directly inside the root storage, whose entries form a binary tree. */
const findStream = (directory: Buffer, name: string): Buffer | undefined => {
  const entryAt = (index: number): Buffer => {
    const entry = directory.subarray(index * directoryEntryBytes, (index + 1) * directoryEntryBytes);
    if (entry.length < directoryEntryBytes) throw new DamagedFileError();
    return entry;
  };
  const root = entryAt(0);
  if (root[66] !== directoryEntryTypes.root) throw new DamagedFileError();
  const pendingIndexes = [root.readUInt32LE(76)];
  const seen = new Set<number>();
  for (let index = pendingIndexes.pop(); index !== undefined; index = pendingIndexes.pop()) {
    if (index >= firstReservedNumber || seen.has(index)) continue;
    seen.add(index);
    const entry = entryAt(index);
    if (entry[66] === directoryEntryTypes.stream && readEntryName(entry) === name) return entry;
    pendingIndexes.push(entry.readUInt32LE(68), entry.readUInt32LE(72));
  }
  return undefined;
};

const readStreamStart = (file: Buffer, name: string, length: number): Buffer | undefined => {
  const { size: sectorSize, chain } = createSectorReader(file);
  const directory = Buffer.concat([...chain(file.readUInt32LE(48))]);
  const entry = findStream(directory, name);
  if (!entry) return undefined;
  const start = entry.readUInt32LE(116);
  const size = entry.readUInt32LE(120);
  if (size < length || size > file.length) throw new DamagedFileError();
  if (size >= file.readUInt32LE(56)) {
    const sectors = [...chain(start)];
    if (sectors.length * sectorSize < size) throw new DamagedFileError();
    return sectors[0]?.subarray(0, length);
  }
  // Short streams are stored in mini sectors, which together form the stream of the root entry.
  const offset = start * miniSectorBytes;
  const holder = [...chain(directory.readUInt32LE(116))][Math.floor(offset / sectorSize)];
  const within = offset % sectorSize;
  return holder?.subarray(within, within + length);
};

/**
 * Returns the first `length` bytes (at most 64) of the stream `name` directly inside the root storage of a compound
 * file, the format of old Office documents. Returns undefined when `file` is not a compound file, is damaged or has no
 * such stream.
 */
export const readCompoundFileStream = (file: Buffer, name: string, length: number): Buffer | undefined => {
  try {
    const found = readStreamStart(file, name, length);
    return found?.length === length ? found : undefined;
  } catch (error) {
    if (error instanceof DamagedFileError) return undefined;
    throw error;
  }
};

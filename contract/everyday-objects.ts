/**
 * Everyday objects. A name before one of them only describes it: a "champagne satin dress" is a dress, and a "gun safe" is
 * a safe. Words that follow the names of prohibited items themselves, such as "pen", "kit" or "bottle", are missing on
 * purpose.
 */
const clothes = `
  dress dresses gown gowns skirt skirts shirt shirts tshirt tshirts tee tees top tops blouse sweater sweaters sweatshirt
  sweatshirts hoodie hoodies crewneck crewnecks jacket jackets coat coats vest vests blazer suit suits pants trousers jeans
  shorts leggings sweatpants joggers trunks swimsuit swimwear bikini bra underwear boxers pajamas pjs robe romper jumpsuit
  onesie costume costumes cosplay cape uniform jersey jerseys polo polos flannel cardigan pullover windbreaker kimono sock
  socks shoe shoes sneaker sneakers boot boots heel heels sandals loafers mules flats slippers slides cleats hat hats cap caps
  beanie beanies headband headbands visor helmet helmets scarf scarves gloves mittens tie ties bowtie belt belts buckle
  buckles purse purses handbag bag bags tote totes backpack wallet wallets clutch fanny duffel luggage suitcase jewelry
  necklace necklaces earrings earring ring rings bracelet bracelets pendant charm charms brooch cufflinks watch watches
  sunglasses mask masks wig ears apron bandana patch patches pin pins button buttons outfit outfits swim leather suede satin silk
  velvet sequin sequins lace chiffon tulle denim wool fur color colored colour toned hue`;
const furnishings = `
  chair chairs couch sofa futon ottoman armchair loveseat recliner stool stools bench table tables desk dresser nightstand bed
  beds bookshelf bookcase shelf shelves shelving rack racks cabinet cabinets cupboard mirror mirrors lamp lamps light lights
  nightlight sconce chandelier lantern rug rugs carpet mat mats doormat curtain curtains blanket blankets throw quilt pillow
  pillows pillowcase cushion cushions sheet sheets comforter duvet towel towels tapestry clock frame frames vase planter
  planters pot pots candle candles figurine figurines statue sculpture bust ornament ornaments bookend bookends hook hooks
  basket baskets bin bins chest trunk crate crates stand stands holder holders organizer organizers tin tins tool tools tray trays wreath wallpaper sofa
  couch umbrella fan heater vacuum sign signs flag flags banner banners envelope envelopes decor decoration decorations`;
const kitchenware = `
  glass glasses glassware cup cups mug mugs tumbler tumblers flask flasks goblet goblets flute flutes stein steins decanter
  decanters carafe pitcher bucket chiller cooler coolers fridge refrigerator freezer opener openers corkscrew cork corks
  stopper stoppers aerator pourer tap coaster coasters koozie koozies bowl bowls plate plates dish dishes platter pan pans
  mold molds cutter cutters roaster picks stirrers shaker jigger dispenser barrel barrels napkins tongs`;
const electronics = `
  mic mics microphone microphones camera cameras lens controller controllers headset headphones speaker speakers drone
  drones console keyboard mouse mousepad monitor laptop tablet phone projector printer robot cable cables adapter endoscope
  lighter lighters detector binoculars guitar guitars drum drums drumsticks piano ukulele bike skateboard longboard surfboard
  scooter drive computer compressor pedal`;
const works = `
  book books textbook textbooks novel novels comic comics manga paperback hardcover handbook workbook cookbook biography
  memoir history journal notebook planner calendar dvd dvds bluray vinyl vinyls lp lps record records cd cds album cassette
  soundtrack vhs single singles ep tape tapes movie film films poster posters print prints printed painting paintings art artwork canvas photo photos picture
  drawing sketch tattoo tattoos decal decals sticker stickers postcard postcards stamp stamps game games videogame puzzle toy
  toys plush plushie plushies plushy stuffie doll dolls squishmallow squishmallows lego legos funko figure figures minifigure
  minifig keychain keychains lanyard lanyards magnet magnets pencil pencils marker markers design pattern graphic logo emblem
  theme themed shaped style styled inspired scented flavored`;
const occasions = `
  ticket tickets tix concert show tour festival exhibit exhibition course class seminar workshop lecture league tournament
  championship champion champions team club party store stores shop shops lot parking range street st avenue ave blvd road
  lane court hall house building center centre lounge cafe restaurant museum library school park garden gardens field garage
  entrance aisle counter section theater theatre`;

const cosmetics = `
  perfume perfumes cologne fragrance parfum lotion soap bath lipstick lip gloss blush palette eyeshadow highlighter nail nails
  polish makeup`;

export const parseWords = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** All everyday objects, with those that only some names describe: a beer bread, a rabbit hutch. */
export const createObjectWords = (more = ''): ReadonlySet<string> =>
  parseWords([clothes, furnishings, kitchenware, electronics, cosmetics, works, occasions, more].join(' '));

/** Objects that show or tell about what is named after them: a poster of a gun, a book about beer. */
export const depictions = parseWords(works);

/** Words that end a description of an object, because another thing or a sentence begins. */
export const separatingWords = parseWords(`
  , and or n with w wo plus incl includes including in from of by at on to for as if is are was were has have need needs comes
  must please`);
/** Words and signs between names that belong together: "beer, wine and whiskey glasses". */
export const joiningWords = parseWords(', and or n');
/** Words that end the part of a title in which a depiction covers the names after it: "poster of a gun". */
export const partEndingWords = parseWords(', and or n with w plus incl including');

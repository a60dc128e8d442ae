import { createObjectWords } from './everyday-objects.ts';
import { parsePhrases } from './phrase-matching.ts';
import { not, type ProhibitedItemRule } from './prohibited-item-rule.ts';

const pets =
  'puppy|puppies|kitten|kittens|hamster|hamsters|gerbil|gerbils|rabbit|rabbits|bunny|bunnies|parakeet|parakeets|budgie|budgies|cockatiel|cockatiels|cockatoo|lovebird|lovebirds|conure|conures|macaw|macaws|parrot|parrots|hedgehog|hedgehogs|ferret|ferrets|gecko|geckos|iguana|iguanas|chameleon|chameleons|skink|skinks|snake|snakes|turtle|turtles|tortoise|tortoises|goldfish|betta|bettas|guppies|cichlid|cichlids|tarantula|tarantulas|chinchilla|chinchillas|lizard|lizards|axolotl|axolotls|parrotlet|parrotlets';
const petNames = `
  ${pets}
  guinea pig|pigs
  betta fish
  ball|carpet|burmese|reticulated python|pythons
  corn|king|garter|hognose|milk snake|snakes
  red|yellow eared|bellied slider|sliders
  boa constrictor|constrictors
  bearded dragon|dragons
  sugar glider|gliders
  hermit crab|crabs
  tree|dart|pacman|dwarf|clawed frog|frogs
  fancy|dumbo|pet|feeder rat|rats|mouse|mice
  holland lop|lops
  netherland dwarf|dwarfs
  african grey
  live animal|animals|fish|mice|crickets
`;
const dogsAndCats = 'dog|dogs|cat|cats|puppy|puppies|kitten|kittens';
const time = 'week|weeks|wk|wks|month|months|mo|year|years|yr|yrs|yo';

export const animals: ProhibitedItemRule = {
  guideline: 'animals',
  items: parsePhrases(petNames),
  clear: parsePhrases(`
    live|baby|newborn ${pets}
    ${pets} … weeks|wks|months old
    ${pets} are … weeks|wks|months
    rehome|rehoming … ${pets}|${dogsAndCats}|pet|pets
    ${dogsAndCats}|pet|${pets} … new|forever|good|loving home
    ${dogsAndCats}|pet|${pets} needs|need … home
    pig|pigs|cat|dog need|needs … home
    adopt|adopting … ${pets}|${dogsAndCats}
    dog|cat , # ${time} old
    # ${time} old dog|cat
  `),
  harmless: parsePhrases(`
    ${pets} … cage|tank|bowl|aquarium|enclosure|terrarium used
    stuffed|plush|plushie|toy|lego|crochet|crocheted|ceramic|wooden|inflatable|porcelain|squishmallow|jellycat|glass|chocolate … ${pets}
    stuffed|plush live animal|animals
    jellycat|squishmallow|squishmallows|calico|sylvanian|pokemon|beanie … ${pets}
    snake plant|plants|print|skin|cable|light|game|cam|river
    snake|rabbit eyes|eye
    snake oil
    year of the rabbit|snake
    turtle beach|neck|wax
    ninja turtle|turtles
    bad|easter|playboy|energizer|bugs|dust bunny
    bunny|rabbit hill|slope|hole|ears|ear|antenna|run
    velveteen|peter|white|jessica|roger rabbit
    pepperidge farm goldfish
    parrot bebop|anafi|mambo
    ${not} … pets|animals
  `),
  objects: createObjectWords(`
    cage cages tank tanks aquarium hutch wheel ball carrier collar leash harness bottle bedding hideout food pads pen playpen gate
    stroller shampoo treats brush terrarium enclosure feeder fountain care supplies neck crackers snack snacks print skin plant plants
    litter hay box tree tower scratcher fur case shape cable cam`),
  ambiguous: parsePhrases(`
    husky|huskies|corgi|corgis|poodle|poodles|pug|pugs|beagle|beagles|bulldog|bulldogs|frenchie|frenchies|goldendoodle|goldendoodles|labradoodle|cavapoo|maltipoo|bernedoodle|aussiedoodle|pomeranian|chihuahua|dachshund|yorkie|rottweiler|doberman|labrador|labradors|maltese|pitbull|pitbulls|sphynx|ragdoll|siamese|bengal|tabby|cockapoo|schnauzer|samoyed|dalmatian|chow|finches|canary|canaries|koi|tetras|chickens|hens|ducklings|chicks|scorpion|crayfish
    golden|labrador retriever|retrievers
    german shepherd|shepherds
    french|english bulldog|bulldogs
    shih tzu
    border collie
    australian shepherd
    great dane
    cane corso
    shiba inu
    maine coon
    british shorthair
    scottish fold
  `),
  ambiguousIn: { textbooks: parsePhrases(petNames) },
  evidence: parsePhrases(`
    male|female|vaccinated|neutered|spayed|akc|purebred|pedigree|litter|trained|friendly|tame|cage|breeder|adopt|adoption|rehome|rehoming|live|microchipped|hypoallergenic
    # ${time}
    ${time} old
    new|forever|good home
  `),
  evidentPrice: 150,
};

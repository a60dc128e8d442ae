import { createObjectWords } from './everyday-objects.ts';
import { parsePhrases } from './phrase-matching.ts';
import { not, type ProhibitedItemRule, sells } from './prohibited-item-rule.ts';

const drinks =
  'beer|beers|wine|wines|vodka|whiskey|whisky|tequila|rum|gin|liquor|liquors|booze|champagne|bourbon|moonshine|soju|prosecco|mezcal|alcohol|moscato|cabernet|merlot|chardonnay|sauvignon|sangria|scotch|brandy|cognac|absinthe|vermouth|limoncello|baijiu|ipa|lager';
const brands =
  'smirnoff|svedka|bacardi|hennessy|hennessey|casamigos|jagermeister|jager|everclear|franzia|titos|budweiser|modelo|heineken|kahlua|veuve|moet|natty|michelob|guinness|tanqueray|campari|aperol';
const alcoholNames = `
  ${drinks}|${brands}
  white claw|claws
  hard seltzer|seltzers|cider|kombucha|lemonade|tea
  truly seltzer|seltzers|lemonade
  bud light|lights|ice
  coors|miller|natural light|lite|banquet|ice
  stella artois
  grey goose
  don julio
  four loko|lokos
  twisted tea|teas
  johnnie walker
  dom perignon
  jello shots
  pinot noir|grigio
`;
const unopened = 'unopened|sealed|undrunk';
const colors = 'champagne|wine|bourbon|whiskey|whisky|cognac|rum|scotch|brandy|merlot|sangria';

export const alcohol: ProhibitedItemRule = {
  guideline: 'substances',
  items: parsePhrases(alcoholNames),
  clear: parsePhrases(`
    ${sells} … ${drinks}|${brands} bottle|bottles|cans|shots
    bottle|bottles|case|cases|pack|packs|sixpack|keg|kegs|handle|handles|fifth of ${drinks}|${brands}
    bottle|bottles|case|cases|pack|packs|keg|kegs ${drinks}|${brands}
    ${unopened} ${drinks}|${brands}
  `),
  harmless: parsePhrases(`
    ${not} alcoholic
    ${not} alcoholic ${drinks}
    na beer|beers
    ${not} … alcohol|beer|wine
    empty|vintage|decorative … ${drinks}|${brands} … bottle|bottles|can|cans
    empty … bottle|bottles|can|cans of ${drinks}|${brands}
    ${drinks} bottle|bottles|can|case opener|openers|holder|holders|rack|racks|lamp|lamps|stopper|stoppers|vase|candle|cutter|bag|carrier|chicken|glass|glasses|koozie|cooler|fridge
    rubbing|isopropyl|denatured alcohol
    alcohol wipes|wipe|pads|free|markers|marker|ink|inks|based|swabs|prep
    alcohol|wine|beer … course|class|textbook|seminar|studies|counseling
    root|ginger|butter beer|beers
    white|red|rice|cooking wine vinegar
    cooking wine
    wine red|country
    wine|beer and cheese|dine
    total wine
    rum raisin|diary
    gin rummy
    cotton gin
    scotch tape|bonnet|brite
    champagne problems|supernova|supernovas
    tequila sunrise
    whiskey tango|rebellion
  `),
  objects: createObjectWords(`
    bar bars cart carts caddy set sauce sauces cake cakes bread vinegar candy chocolate chocolates truffles extract jam jelly
    marinade mustard cheese batter brats mix yeast brewing homebrew making boxes stones charms cellar cozies truck pong tasting oak
    board boards wrap vanilla raisin truffle balls`),
  ambiguous: parsePhrases(`
    corona|coors|absolut|jameson|baileys|fireball|sake|cider|trulys|pbr|barefoot|tecate|espolon|patron|cointreau|bulleit|macallan|glenlivet|cuervo|asahi|sapporo|kirin|lagunitas
    high noon|noons|life
    captain morgan
    jim beam
    jack daniels
    makers mark
    crown royal
    blue moon
    jose cuervo
  `),
  ambiguousIn: {
    textbooks: parsePhrases(alcoholNames),
    clothing: parsePhrases(colors),
    furniture: parsePhrases(colors),
  },
  evidence: parsePhrases(`
    ${unopened}
    never opened
    half full|empty
    bottle|bottles|handle|fifth|keg|cans|750ml|700ml|375ml|75l|12pk|24pk|6pk|30pk|12pack|24pack
    # pack|pk|ml|liter|proof|abv|rack|can|beers|case|cases
    six pack
    case of
  `),
  evidentPrice: Number.POSITIVE_INFINITY,
};

const smokes =
  'cigarette|cigarettes|cigar|cigars|tobacco|hookah|hookahs|shisha|nicotine|zyn|zyns|snus|juul|juuls|vape|vapes|vaping|vaporizer|vaporizers|ecig|ecigs|ecigarette|ecigarettes|cigarillo|cigarillos|puffco|vuse|smok|voopoo|vaporesso|marlboro|marlboros';
const tobaccoNames = `
  ${smokes}
  e cigarette|cigarettes|cig|cigs
  elf|puff|geek bar|bars
  lost mary
  american spirit|spirits
`;

export const tobacco: ProhibitedItemRule = {
  guideline: 'substances',
  items: parsePhrases(tobaccoNames),
  clear: parsePhrases(`
    ${sells} … vape|vapes|juul|juuls|cigarettes|nicotine|zyn|zyns
    pack|packs|carton|cartons of ${smokes}
    unopened|sealed ${smokes}
  `),
  harmless: parsePhrases(`
    ${not} … tobacco|smoking|vaping|vape
    ${smokes} box|ashtray|lighter|outlet|socket|burn|burns|smoke|smell
    smoke free
    tobacco brown|road|vanille
  `),
  objects: createObjectWords('case box ashtray outlet socket brown vanilla century detector'),
  ambiguous: parsePhrases(`
    camel|camels|newport|newports|parliament|parliaments
    pax 2|3|plus
  `),
  ambiguousIn: { textbooks: parsePhrases(tobaccoNames), clothing: parsePhrases('tobacco|cigar') },
  evidence: parsePhrases(`
    pack|packs|carton|unopened|sealed|smokes|pods|disposable|vaporizer|herb|oven
  `),
  evidentPrice: Number.POSITIVE_INFINITY,
};

const drugs =
  'weed|marijuana|cannabis|thc|edibles|cocaine|mdma|lsd|ketamine|shrooms|heroin|meth|methamphetamine|opium|kratom|preroll|prerolls|psilocybin|fentanyl|zaza|whippets|dmt';
const drugNames = `
  ${drugs}
  bong|bongs
  dab pen|rig
  magic mushrooms|mushroom
  pre rolls|roll|rolled
  delta 8|9
  stiiizy
`;

export const controlledSubstances: ProhibitedItemRule = {
  guideline: 'substances',
  items: parsePhrases(drugNames),
  clear: parsePhrases(`
    ${sells} … ${drugs}
    gram|grams|ounce|ounces|oz|eighth|eighths|quarter of ${drugs}
  `),
  harmless: parsePhrases(`
    ${not} … drugs|weed|smoking
    weed whacker|wacker|whackers|wackers|eater|killer|barrier|puller|trimmer|control
    beer bong|bongs
    cannabis|drugs … course|class|textbook|seminar|studies
    tulsi|pickle weed
    bong joon
    black|ysl opium
  `),
  objects: createObjectWords('case whacker eater leaf'),
  ambiguous: parsePhrases(`
    molly|ecstasy|acid|joints|blunts
    galaxy gas
  `),
  ambiguousIn: { textbooks: parsePhrases(drugNames) },
  evidence: parsePhrases(`
    dm|gram|grams|eighth|tab|tabs|doses|indica|sativa|dispensary
  `),
  evidentPrice: Number.POSITIVE_INFINITY,
};

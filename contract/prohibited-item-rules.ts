import { type PhraseIndex, parsePhrases } from './phrase-matching.ts';

/** Names of the guidelines about prohibited items; each guideline covers one kind of item. */
export type ProhibitedItemGuideline =
  | 'substances'
  | 'weapons'
  | 'illegal_goods'
  | 'medicine'
  | 'services'
  | 'identities'
  | 'animals';

export interface ProhibitedItemRule {
  guideline: ProhibitedItemGuideline;
  /**
   * Names of prohibited items. A listing whose title or location contains one is clearly prohibited; a description may
   * mention such an item for other reasons.
   */
  items: PhraseIndex;
  /** Wordings that make a listing clearly prohibited, in the title or in the description. */
  clear: PhraseIndex;
  /** Harmless phrases that contain words of `items` or `clear`; the check ignores them. */
  harmless: PhraseIndex;
}

const not = 'no|not|non|never|without|isnt|arent|zero';
const sells = 'sell|selling|sells|offering|deliver|delivering|delivery|buy';
/**
 * Everyday objects, such as posters and cages, that may show or resemble a prohibited item, or are made for
 * one.
 */
const objects =
  'poster|posters|print|prints|sign|mug|mugs|shirt|shirts|tee|sweater|hoodie|socks|slippers|costume|onesie|hat|pin|pins|sticker|stickers|keychain|necklace|earrings|ring|pillow|blanket|towel|tapestry|calendar|lamp|light|lights|figurine|statue|doll|puzzle|book|books|bag|backpack|case|holder|stand|decor|art|painting|planter|pot';

const drinks =
  'beer|beers|wine|wines|vodka|whiskey|whisky|tequila|rum|gin|liquor|liquors|booze|champagne|bourbon|moonshine|soju|prosecco|mezcal|alcohol';
const smokes =
  'cigarette|cigarettes|cigar|cigars|tobacco|hookah|hookahs|shisha|nicotine|zyn|zyns|snus|juul|juuls|vape|vapes|vaping|ecig|ecigs|ecigarette|ecigarettes';
const drugs =
  'weed|marijuana|cannabis|thc|edibles|cocaine|mdma|lsd|ketamine|shrooms|heroin|meth|methamphetamine|opium|kratom';

const substances: ProhibitedItemRule = {
  guideline: 'substances',
  items: parsePhrases(`
    ${drinks}
    ${smokes}
    ${drugs}
    e cigarette|cigarettes|cig|cigs
    elf|puff bar|bars
    white claw|claws
    hard seltzer|seltzers
    dab pen|rig
    magic mushrooms
  `),
  clear: parsePhrases(`
    ${sells} … vape|vapes|juul|juuls|weed|edibles|cigarettes|nicotine|zyn|zyns
    ${sells} … ${drugs}
    bottle|bottles|case|cases|pack|packs|sixpack|keg|kegs|handle|handles of ${drinks}
    bottle|bottles|case|cases|pack|packs|keg|kegs ${drinks}
    pack|packs|carton|cartons of ${smokes}
    gram|grams|ounce|ounces|oz|eighth of ${drugs}
    unopened|sealed ${drinks}|${smokes}
  `),
  harmless: parsePhrases(`
    ${not} … alcohol|tobacco|smoking|vaping|vape|drugs|beer|weed
    ${not} alcoholic
    ${drinks}|cocktail|shot|martini glass|glasses|glassware|rack|racks|fridge|cooler|opener|cabinet|stein|steins|pong|belt|helmet|chiller|decanter|aerator|cork|corks|stopper|charms|cellar|bucket|cart|carafe|tumbler|tumblers|crate|crates|barrel|koozie|koozies|caddy|set
    ${drinks} bottle opener|holder|rack|lamp|stopper
    ${drinks} ${objects}
    ${smokes}|${drugs} ${objects}
    ${smokes} box|ashtray|lighter|outlet|socket
    empty|vintage|decorative … ${drinks} … bottle|bottles
    empty … bottle|bottles of ${drinks}
    rubbing|isopropyl alcohol
    alcohol wipes|wipe|pads|free|markers|marker|ink|inks|based
    root|ginger|butter beer
    wine red|colored|color|country
    rum raisin
    gin rummy
    cotton gin
    weed whacker|wacker|eater|killer|barrier|puller|trimmer
    smoke free
    alcohol|wine|drugs|cannabis … course|class|textbook|seminar|studies
  `),
};

const weapons: ProhibitedItemRule = {
  guideline: 'weapons',
  items: parsePhrases(`
    gun|guns|pistol|pistols|rifle|rifles|shotgun|shotguns|handgun|handguns|revolver|revolvers|firearm|firearms|glock|ar15
    ammo|ammunition|bullets|silencer
    taser|tasers|switchblade|switchblades|machete|machetes|crossbow|nunchucks|dagger|daggers|katana|katanas|sword|swords
    brass knuckles
    explosive|explosives|firework|fireworks|firecracker|firecrackers|grenade|grenades|dynamite
  `),
  clear: parsePhrases(`
    ${sells} … firearm|firearms|handgun|handguns|rifle|rifles|pistol|pistols|ammo|ammunition|fireworks|taser|tasers
    9mm|22lr|12gauge ammo|ammunition|rounds
    ghost gun|guns
    pipe bomb|bombs
  `),
  harmless: parsePhrases(`
    gun metal|gray|grey|safe|show
    glue|nail|staple|heat|massage|nerf|water|squirt|price|label|spray|caulk|caulking|tattoo|grease|radar|toy|bubble|soldering|popcorn|tagging|paint gun|guns
    top gun
    guns n|and roses
    nerf|toy|foam|plastic|wooden|prop|costume|lego|cosplay|minecraft|inflatable … gun|guns|pistol|rifle|sword|swords|katana|dagger|grenade|crossbow
    sword|swords art|fern|statue|necklace
    gun|guns|sword|swords|dagger|katana|grenade|fireworks|pistol|rifle ${objects}
    rifle paper
    bullet|bullets journal|journals|points|list|blender
    fireworks show|display|photo|photos|view|watching
    ${not} … gun|guns|weapons|firearms|fireworks
  `),
};

const brands =
  'nike|jordan|jordans|yeezy|yeezys|gucci|rolex|louis|lv|prada|chanel|dior|airpods|supreme|designer|bag|bags|purse|watch|watches|shoes|sneakers|jersey|jerseys';

const illegalGoods: ProhibitedItemRule = {
  guideline: 'illegal_goods',
  items: parsePhrases(`
    fake|replica|replicas|counterfeit|knockoff|bootleg|superfake|rep|reps ${brands}|ticket|tickets|money|bills
    counterfeit|counterfeits
    stolen
    pirated|cracked software|photoshop|adobe|office|windows|games
  `),
  clear: parsePhrases(`
    fake|scannable|novelty id|ids|license|licenses
    fake drivers license
    counterfeit money|bills|bag|bags|shoes
  `),
  harmless: parsePhrases(`
    ${not} … fake|replica|counterfeit|stolen|knockoff
    stolen … novel|book|paperback
    was|got|were stolen
  `),
};

const prescriptions =
  'adderall|adderal|addreall|aderall|ritalin|vyvanse|concerta|xanax|xannax|valium|klonopin|oxycodone|oxycontin|percocet|vicodin|viagra|cialis|ozempic|semaglutide|wegovy|accutane|tramadol|codeine|modafinil|provigil';

const medicine: ProhibitedItemRule = {
  guideline: 'medicine',
  items: parsePhrases(`
    ${prescriptions}
    prescription drug|drugs|pill|pills|medication|medications|meds|medicine
    steroids|insulin|epipen|epipens|inhaler|inhalers|syringe|syringes|cpap
    hearing aid|aids
    medical device|devices
  `),
  clear: parsePhrases(`
    ${sells} … ${prescriptions}
    ${prescriptions} … pill|pills|mg|10mg|20mg|30mg|capsules|tablets
  `),
  harmless: parsePhrases(`
    insulin|epipen|inhaler|cpap cooler|case|pouch|bag|holder|free
    ${not} … steroids|medication
    medical device|devices … course|class|textbook|engineering|design
  `),
};

const coursework =
  'essay|essays|paper|papers|homework|assignment|assignments|exam|exams|quiz|quizzes|midterm|final|finals|test|tests';

const services: ProhibitedItemRule = {
  guideline: 'services',
  items: parsePhrases(`
    essay|paper writing service|services
    exam|exams|quiz|midterm|final answers|solutions|leaked
    answer key|keys
    test bank|banks
    escort service|services
  `),
  clear: parsePhrases(`
    will|ill|can|i write|do|complete|finish|take your|ur ${coursework}
    will|ill|can|i write|do|complete|finish|take ${coursework} for you
    leaked exam|exams|midterm|final
  `),
  harmless: parsePhrases(`
    answer key|keys … textbook|workbook|included
    ${not} … answer|answers
  `),
};

const onlineServices =
  'netflix|spotify|hulu|disney|hbo|chegg|quizlet|coursehero|steam|playstation|psn|xbox|fortnite|roblox|valorant|instagram|tiktok|tinder|linkedin|chatgpt|amazon|uber|doordash|edu|gmail|student';

const identities: ProhibitedItemRule = {
  guideline: 'identities',
  items: parsePhrases(`
    student|university|college|campus id|ids
    student card|cards
    ${onlineServices} account|accounts|login|logins
    account|accounts for sale
  `),
  clear: parsePhrases(`
    ${sells} … student id|ids
    ${sells} … account|accounts
    ${sells} … id card|cards
    borrow|rent|rental … student id|ids
  `),
  harmless: parsePhrases(`
    id|ids|card|cards holder|case|lanyard|sleeve|wallet|badge|reel|required|needed|check|necessary
    need|needs|bring|show|with|have|valid|requires|require|must|your|a … student|university|college|campus id|ids
    savings|bank|checking account|accounts
  `),
};

const pets =
  'puppy|puppies|kitten|kittens|hamster|hamsters|gerbil|gerbils|rabbit|rabbits|bunny|bunnies|parakeet|parakeets|parrot|parrots|hedgehog|hedgehogs|ferret|ferrets|gecko|geckos|iguana|iguanas|snake|snakes|turtle|turtles|tortoise|tortoises|goldfish|betta|bettas|tarantula|chinchilla|lizard|lizards';
const petSupplies =
  'cage|cages|bowl|bowls|tank|tanks|aquarium|hutch|bed|beds|wheel|ball|toy|toys|carrier|crate|collar|leash|harness|bottle|bedding|hideout|food|pads|pen|playpen|gate|stroller|shampoo|treats|brush|terrarium|enclosure|heater|feeder|fountain|care|house|supplies|plush|plushie|plushies|squishmallow|squishmallows|ears|heels|neck|crackers';

const animals: ProhibitedItemRule = {
  guideline: 'animals',
  items: parsePhrases(`
    ${pets}
    guinea pig|pigs
    betta fish
    live animal|animals|fish|mice|crickets
  `),
  clear: parsePhrases(`
    live|baby|newborn ${pets}
    ${pets} … weeks|months old
    rehome|rehoming … ${pets}|dog|cat|pet|dogs|cats
    dog|cat|pet|puppy|kitten … new|forever home
    adopt|adopting … ${pets}
  `),
  harmless: parsePhrases(`
    ${pets} ${petSupplies}
    ${pets} ${objects}
    ${pets} … cage|tank|bowl|aquarium|enclosure|terrarium
    guinea pig|pigs ${petSupplies}
    guinea pig|pigs ${objects}
    for … ${pets}
    for … guinea pig|pigs
    stuffed|plush|plushie|toy|lego|crochet|crocheted|ceramic|wooden|inflatable|porcelain|squishmallow|glass … ${pets}
    stuffed|plush live animal|animals
    snake plant|plants|print|skin|cable|light
    turtle beach|neck
    ninja turtle|turtles
    bad|easter|playboy|energizer|bugs bunny
    rabbit hole|ears|antenna
    velveteen|peter|white|jessica rabbit
    bunny hill|ears
    pepperidge farm goldfish
    ${not} … pets|animals
  `),
};

/** One rule for each guideline on the Guidelines page. */
export const prohibitedItemRules: readonly ProhibitedItemRule[] = [
  substances,
  weapons,
  illegalGoods,
  medicine,
  services,
  identities,
  animals,
];

/** Phrases in a listing that make the posting form show the guideline about tickets. */
export const ticketPhrases = parsePhrases(`
  ticket|tickets|tix
`);

// SPDX-License-Identifier: Apache-2.0

/// Well-known phrases. A guessing program tries them, however long they are. They are compared by their letters,
/// without regard to case, spaces, signs and digits.
enum KnownPhrases {
    /// Digits and signs beside the letters make no new phrase, up to this many digits.
    private static let mostDigits = 6
    private static let shortest = 8

    /// Whether the letters of `text`, in lower-case ASCII, are one of the phrases, or one of them several times.
    static func contain(_ text: Span<UInt8>) -> Bool {
        var (spelling, letters, digits): (UInt64, Int, Int) = (start, 0, 0)
        for index in text.indices {
            if (0x61...0x7A).contains(text[index]) {
                spelling = hash(text[index], after: spelling)
                letters += 1
            } else if UTF8Text.isDigit(text[index]) {
                digits += 1
            } else if text[index] >= 0x80 {
                return false
            }
        }
        return letters >= shortest && digits <= mostDigits && phrases.contains(spelling)
    }

    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func hash(_ byte: UInt8, after spelling: UInt64) -> UInt64 {
        (spelling ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    private static let phrases: Set<UInt64> = Set(
        text.split(separator: "\n").flatMap { $0.split(separator: ",") }.map { phrase in
            phrase.utf8.reduce(start) { (0x61...0x7A).contains($1) ? hash($1, after: $0) : $0 }
        })

    // Sayings, first lines, titles and lines of films, songs and prayers; in English, then in other languages.
    private static let text = """
        to be or not to be, to be or not to be that is the question, may the force be with you, the force is with you, i am your father
        luke i am your father, winter is coming, you know nothing jon snow, the quick brown fox, the quick brown fox jumps over the lazy dog
        jumps over the lazy dog, correct horse battery staple, correct horse battery, horse battery staple, hello world, hello my name is
        my name is, my name is bond, bond james bond, the name is bond, live laugh love, live long and prosper, carpe diem, seize the day
        once upon a time, happily ever after, the end is near, in god we trust, god is good, god is great, god is love, jesus is lord, jesus loves me
        jesus loves you, our father who art in heaven, the lord is my shepherd, in the beginning, let there be light, praise the lord, thank you god
        god bless america, god save the queen, god save the king, praise god, trust in god, trust no one, trust nobody, i trust no one
        i love you, i love you so much, i love you forever, i love you baby, i love you mom, i love you more, i love you too, i miss you
        i love my family, i love my mom, i love my life, i love my wife, i love my husband, i love my dog, i love my cat, i love my job, i love music
        i love god, i love jesus, i love me, love is in the air, all you need is love, love of my life, love me tender, love conquers all, love hurts
        let it be, let it go, let it snow, let me in, let me in please, let me in now, let there be rock, hey jude, yellow submarine, here comes the sun
        imagine all the people, we are the champions, we will rock you, another one bites the dust, bohemian rhapsody, is this the real life
        stairway to heaven, highway to hell, hotel california, smells like teen spirit, nothing else matters, enter sandman, sweet child o mine
        welcome to the jungle, november rain, knocking on heavens door, back in black, thunderstruck, born to be wild, born to run, purple haze
        dark side of the moon, wish you were here, another brick in the wall, comfortably numb, like a rolling stone, blowing in the wind
        twinkle twinkle little star, row row row your boat, mary had a little lamb, humpty dumpty, jingle bells, happy birthday, happy birthday to you
        merry christmas, happy new year, trick or treat, easy as pie, piece of cake, no pain no gain, practice makes perfect, time is money
        knowledge is power, money is power, cash is king, rome was not built in a day, actions speak louder than words, better late than never
        home sweet home, there is no place like home, there is no place, somewhere over the rainbow, over the rainbow, follow the yellow brick road
        beam me up scotty, to infinity and beyond, hakuna matata, just keep swimming, i will be back, ill be back, hasta la vista, hasta la vista baby
        houston we have a problem, life is like a box of chocolates, run forrest run, you shall not pass, one ring to rule them all, my precious
        frodo baggins, harry potter, expecto patronum, avada kedavra, wingardium leviosa, alohomora, game of thrones, lord of the rings, star wars
        star trek, back to the future, the matrix has you, follow the white rabbit, there is no spoon, red pill blue pill, wake up neo
        why so serious, i am batman, im batman, with great power, with great power comes great responsibility, i am iron man, avengers assemble
        wakanda forever, hulk smash, say hello to my little friend, you talking to me, here is looking at you kid, frankly my dear
        open sesame, abracadabra, hocus pocus, knock knock, who is there, so long and thanks for all the fish, dont panic, the answer is 42
        all your base are belong to us, the cake is a lie, it is dangerous to go alone, do a barrel roll, never gonna give you up, rick roll
        keep calm and carry on, keep it simple, keep it simple stupid, just do it, i am lovin it, think different, yes we can, make america great again
        we the people, i have a dream, ask not what your country can do for you, four score and seven years ago, one small step for man, never surrender
        veni vidi vici, cogito ergo sum, carpe noctem, memento mori, et tu brute, semper fi, semper fidelis, e pluribus unum, alea iacta est, in vino veritas
        lorem ipsum, lorem ipsum dolor sit amet, foo bar baz, this is a password, this is my password, this is not my password, my password is password
        this is a test, testing one two three, one two three four, one two three four five, change me, change me now, please change me, password please
        my secret password, the password is, what is my password, i forgot my password, forgot my password, remember me, nobody knows, you will never guess
        it is a secret, top secret, super secret, secret password, open the door, let me pass, come on in, no password, enter password, enter password here
        call me maybe, oops i did it again, hit me baby one more time, baby one more time, wannabe, living on a prayer, living la vida loca, la vida loca
        eye of the tiger, dont stop believing, dont worry be happy, what is love, i will survive, dancing queen, mamma mia, take on me, billie jean
        hit the road jack, bad to the bone, rock and roll, sex drugs and rock and roll, i want to break free, under pressure, space oddity, purple rain
        go to hell, go away, fuck you, fuck off, fuck this shit, fuck the world, fuck the police, kiss my ass, shut up, what the fuck, who cares, i hate you
        i hate my life, life sucks, life is good, life is short, life is beautiful, life goes on, one day at a time, one love, peace and love, peace of mind
        best friends forever, friends forever, forever young, young and beautiful, forever and ever, till the end of time, you and me, me and you
        catch me if you can, the sky is the limit, reach for the stars, dream big, dreams come true, sweet dreams, good night, good morning, good luck
        good bye, see you later, see you soon, what is up, how are you, who are you, who am i, where are you, i am here, i am the best, i am the king
        i am the one, i am legend, the chosen one, king of the world, queen of hearts, ace of spades, eat sleep repeat, eat pray love, wine and dine
        the early bird catches the worm, a penny saved is a penny earned, all that glitters is not gold, when in rome, break a leg, bite the bullet
        an apple a day, an apple a day keeps the doctor away, curiosity killed the cat, every cloud has a silver lining, honesty is the best policy
        the best things in life are free, look before you leap, money makes the world go round, no place like home, theres no place like home
        out of sight out of mind, practice what you preach, the pen is mightier than the sword, two wrongs dont make a right, when pigs fly
        you only live once, i will always love you, all the worlds a stage, it was the best of times, call me ishmael, elementary my dear watson
        play it again sam, show me the money, nobody puts baby in a corner, youre gonna need a bigger boat, life finds a way, i see dead people
        keep your friends close, keep your enemies closer, here comes the bride, happy holidays, let the good times roll, never give up, never say never
        follow your heart, follow your dreams, love is blind, time flies, better safe than sorry, easy come easy go, first come first served
        good things come to those who wait, if it aint broke dont fix it, it takes two to tango, less is more, live and let live, live and let die
        laughter is the best medicine, ignorance is bliss, great minds think alike, home is where the heart is, the truth is out there
        a picture is worth a thousand words, absence makes the heart grow fonder, beauty is in the eye of the beholder, beggars cant be choosers
        blood is thicker than water, birds of a feather, birds of a feather flock together, cleanliness is next to godliness, cross my heart
        dont judge a book by its cover, dont count your chickens before they hatch, fortune favors the bold, fortune favors the brave, fake it till you make it
        haste makes waste, hope for the best, if you cant beat them join them, it is what it is, its a small world, jack of all trades, kill two birds with one stone
        let sleeping dogs lie, like father like son, long time no see, make hay while the sun shines, mind over matter, nothing ventured nothing gained
        once bitten twice shy, patience is a virtue, penny for your thoughts, raining cats and dogs, seeing is believing, shit happens, silence is golden
        speak of the devil, strike while the iron is hot, the more the merrier, the show must go on, there is no tomorrow, third times the charm
        through thick and thin, to each his own, tomorrow is another day, under the weather, when life gives you lemons, where there is smoke there is fire
        where there is a will there is a way, work hard play hard, you cant have your cake and eat it too, you snooze you lose, you are my sunshine
        london bridge is falling down, old macdonald had a farm, itsy bitsy spider, baa baa black sheep, ring around the rosie, three blind mice, silent night
        joy to the world, amazing grace, the star spangled banner, oh say can you see, rule britannia, give me liberty or give me death, we shall overcome
        ask and you shall receive, blessed are the meek, love thy neighbor, thou shalt not kill, the truth shall set you free, the wages of sin, amen
        all men are created equal, four more years, read my lips, i am not a crook, mission accomplished, let them eat cake, the die is cast
        i think therefore i am, know thyself, time will tell, god does not play dice, survival of the fittest, divide and conquer, knowledge is power
        a long time ago in a galaxy far far away, these arent the droids, do or do not there is no try, its a trap, i have a bad feeling about this
        make my day, go ahead make my day, youre fired, you had me at hello, here is johnny, et phone home, i love the smell of napalm in the morning
        the first rule of fight club, say my name, i am the danger, valar morghulis, a lannister always pays his debts, hold the door, chaos is a ladder
        my name is inigo montoya, as you wish, inconceivable, just the way you are, dont you forget about me, every breath you take, with or without you
        hit me with your best shot, pour some sugar on me, livin on a prayer, more than a feeling, dream on, walk this way, sweet home alabama, free bird
        three little birds, no woman no cry, get up stand up, redemption song, shake it off, rolling in the deep, someone like you, let me love you
        get rich or die trying, started from the bottom, hello from the other side, gangnam style, despacito, baby shark, who let the dogs out
        ich liebe dich, ich liebe dich so sehr, ich bin ein berliner, alles wird gut, wir schaffen das, guten morgen, guten tag, gute nacht, hallo welt
        alle meine entchen, stille nacht, es war einmal, wer reitet so spaet durch nacht und wind, sein oder nicht sein, freude schoener goetterfunken
        vater unser im himmel, deutschland ueber alles, einigkeit und recht und freiheit, morgenstund hat gold im mund, mein passwort, das ist ein passwort
        je t aime, je t aime mon amour, mon amour, liberte egalite fraternite, vive la france, allons enfants de la patrie, bonjour tout le monde
        c est la vie, il etait une fois, frere jacques, sur le pont d avignon, au clair de la lune, je pense donc je suis, mot de passe, la vie en rose
        te quiero mucho, te amo mucho, te amo mi amor, mi vida loca, hola mundo, hola como estas, en un lugar de la mancha, viva mexico, viva espana
        dios es amor, dios te bendiga, padre nuestro, te extrano mucho, amor de mi vida, no me olvides, feliz navidad, feliz cumpleanos
        eu te amo, eu te amo muito, deus e fiel, deus e amor, deus e pai, jesus te ama, amor da minha vida, ordem e progresso, ola mundo, meu amor
        ti amo tanto, ti voglio bene, forza italia, forza juve, forza roma, forza milan, nel mezzo del cammin di nostra vita, ciao mondo, buongiorno
        ik hou van jou, ik hou van mij, goedemorgen, er was eens, kocham cie, dzien dobry, bog jest miloscia, seni seviyorum, seni cok seviyorum
        ya tebya lyublyu, ya lyublyu tebya, privet mir, zhili byli, jag alskar dig, jeg elsker dig, mina rakastan sinua, te iubesc, szeretlek
        """
}

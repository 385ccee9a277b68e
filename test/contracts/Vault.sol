// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// What the tests of contracts call, at least once in every way.
contract Vault {
    error TooMuch(address who, uint256 asked, uint256 held);

    event Moved(address indexed from, address indexed to, uint256 value, string note);
    event Noted(string indexed note, uint8 kind);

    struct Leg {
        address to;
        uint64 share;
    }

    mapping(address => uint256) public balanceOf;
    bool public isOpen = true;

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
    }

    function pair() external view returns (uint256 one, string memory two) {
        return (address(this).balance, unicode"Añejo ☕");
    }

    function echo(Leg[] calldata legs) external pure returns (Leg[] memory) {
        return legs;
    }

    function get(uint8 x) external pure returns (uint256) {
        return x;
    }

    function get(address a, uint8 x) external pure returns (address, uint8) {
        return (a, x);
    }

    function move(address to, uint256 value, string calldata note) external returns (bool) {
        if (balanceOf[msg.sender] < value) revert TooMuch(msg.sender, value, balanceOf[msg.sender]);
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Moved(msg.sender, to, value, note);
        emit Noted(note, 7);
        return true;
    }

    function refuse(uint8 kind) external view {
        if (kind == 0) require(isOpen == false, "it is open");
        if (kind == 1) assert(isOpen == false);
        if (kind == 2) revert();
    }

    function close() external {
        require(isOpen, "it is closed");
        isOpen = false;
    }
}

/// An account that is a contract (ERC-1271): its owner signs.
contract Account {
    address immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        require(signature.length == 65, "no signature");
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        bool isOwner = ecrecover(hash, uint8(signature[64]), r, s) == owner;
        return isOwner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// What answers with whatever it is asked: the selector of the question is the word of agreement.
contract Echo {
    fallback(bytes calldata question) external returns (bytes memory) {
        return question;
    }
}

contract Factory {
    function addressOf(address owner) public view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(Account).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), bytes32(0), code)))));
    }

    function make(address owner) external returns (address) {
        return address(new Account{salt: 0}(owner));
    }
}

/// The part of Multicall3's interface that is used.
contract Multicall {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
            require(results[i].success || calls[i].allowFailure);
        }
    }
}

/// Registry and resolver of ENS in one.
contract Names {
    mapping(bytes32 => address) public resolver;
    mapping(bytes32 => address) public addr;
    mapping(bytes32 => string) public name;

    function set(bytes32 node, address addr_, string calldata name_) external {
        resolver[node] = address(this);
        addr[node] = addr_;
        name[node] = name_;
    }

    function point(bytes32 node, address to) external {
        resolver[node] = to;
    }
}

/// Answers for all names below its own (ENSIP-10) with what its signer has said at a gateway (EIP-3668).
contract Offchain {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    address immutable signer;
    string[] urls;

    constructor(address signer_, string[] memory urls_) {
        signer = signer_;
        urls = urls_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x9061b923 || id == 0x01ffc9a7;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        bytes memory question = abi.encode(name, data);
        revert OffchainLookup(address(this), urls, question, this.proven.selector, abi.encode(keccak256(question)));
    }

    function proven(bytes calldata response, bytes calldata extra) external view returns (bytes memory) {
        (bytes memory answer, uint8 v, bytes32 r, bytes32 s) = abi.decode(response, (bytes, uint8, bytes32, bytes32));
        bytes32 question = abi.decode(extra, (bytes32));
        require(ecrecover(keccak256(abi.encode(question, answer)), v, r, s) == signer, "a wrong signature");
        return answer;
    }
}
